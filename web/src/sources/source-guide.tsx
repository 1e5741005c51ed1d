import { CREATION_STEP, GuideText, LINKS_BETWEEN_PAGES, useGuide, withUrl } from '../webhooks/guide.tsx';

const DROP_INS: Readonly<Record<string, string>> = {
  'pagerduty-events': 'pagerduty',
  'opsgenie-api': 'opsgenie',
  'grafana-oncall': 'grafana-oncall',
  goalert: 'goalert',
  victorops: 'victorops',
};

/** The page below `docs` about a type of page source. */
export function guidePage(type: string): string {
  if (type === 'heartbeat') return 'heartbeats.md';
  const dropIn = DROP_INS[type];
  return dropIn ? `drop-in/${dropIn}.md` : `integrations/${type}.md`;
}

/** How to let the tool page through the source. */
export function SourceGuide({ type, url }: { type: string; url: string | null }) {
  const path = guidePage(type);
  const page = useGuide(path);
  const hosts = useGuide('drop-in/README.md');
  if (page === undefined || hosts === undefined) return null;
  const whole = path.startsWith('integrations/')
    ? pagingSections(page)
    : path.startsWith('drop-in/')
      ? [withoutTitle(page), ...sectionsOf(hosts, ['Point senders at Tocsin'])].join('\n')
      : withoutTitle(page);
  return <GuideText type={type} text={fitted(whole, url)} />;
}

/** The parts that concern a source. The page about custom calls, which has no steps, describes paging in a section. */
function pagingSections(page: string): string {
  return sectionsOf(page, ['Set it up', 'Page people', 'While Tocsin cannot be reached']).join('\n');
}

function sectionsOf(page: string, titles: readonly string[]): string[] {
  const sections = page.split(/^(?=## )/m);
  return titles.flatMap((title) => sections.filter((section) => section.startsWith(`## ${title}\n`)));
}

function withoutTitle(page: string): string {
  return page.replace(/^# .*\n/, '');
}

/** The text for an existing source: with its URL and this host, and without the commands that create it. */
function fitted(page: string, url: string | null): string {
  const way = url === null ? '"$PAGE_URL"' : `"${url}"`;
  return withUrl(page, url)
    .replace(/^Create a source of type `[^`]*` \(\[how\]\(README\.md\)\)[^.]*\. /m, '')
    .replace(CREATION_STEP, '1. Create the source: done.\n')
    .replace(/^Create a source\. Its URL takes a body of its own:\n+/m, '')
    .replace(/^```(?:sh)?\ntocsin source create .*\n```\n+(?:It prints `[^`]*`\. ?)?/m, '')
    .replaceAll(/"?\$(?:WEBHOOK|PAGE)_URL"?/g, way)
    .replaceAll('https://tocsin.example.com', window.location.origin)
    .replaceAll(LINKS_BETWEEN_PAGES, '$1');
}
