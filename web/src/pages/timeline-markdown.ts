import type { PageDetail } from '../../../src/pages/api-contract.ts';
import { t, tIn } from '../language/t.ts';
import { entryWords } from './timeline-words.ts';
import { stateName, urgencyName } from './words.ts';

/**
 * A page and its timeline as Markdown, for a review or a ticket. Times are UTC, because readers may be in any zone.
 * `url`: the address of the page in the dashboard.
 */
export function timelineMarkdown({ page, timeline }: PageDetail, url: string): string {
  const facts: [string, string | null | undefined][] = [
    [tIn('in an exported timeline', 'Page'), url],
    [t('Team'), page.team?.name],
    [tIn('in an exported timeline', 'State'), stateName(page.state)],
    [t('Urgency'), urgencyName(page.urgency)],
    [tIn('in an exported timeline', 'Raised'), utc(page.created_at)],
    [t('Source'), page.source_url],
  ];
  return [
    `# ${plain(page.title)}`,
    '',
    ...facts.flatMap(([name, value]) => (value ? [`- ${name}: ${plain(value)}`] : [])),
    '',
    `## ${t('Timeline (UTC)')}`,
    '',
    ...timeline.map((entry) => {
      const { what, proof } = entryWords(entry);
      return `- ${utc(entry.at)} ${plain(what)}${proof ? ` – ${plain(proof)}` : ''}`;
    }),
    '',
  ].join('\n');
}

/** `2026-11-20 09:12:03.456` */
function utc(at: string): string {
  return new Date(at).toISOString().replace('T', ' ').replace('Z', '');
}

/** Text of other people in one line, without effect on the form of the document. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~]/g, '\\$&');
}
