import { useQuery } from '@tanstack/react-query';
import { Markdown } from '../kit/markdown.tsx';
import { t } from '../language/t.ts';
import { integrationName } from './integration-names.ts';

/** One page of documentation for each type, loaded when it is shown. */
const PAGES = import.meta.glob<string>(
  ['../../../docs/integrations/*.md', '../../../docs/drop-in/*.md', '../../../docs/heartbeats.md'],
  { query: '?raw', import: 'default' },
);

/** The text of a page below `docs`; undefined while it is loaded, and empty when there is no such page. */
export function useGuide(path: string): string | undefined {
  return useQuery({
    queryKey: ['guide', path],
    queryFn: async () => (await PAGES[`../../../docs/${path}`]?.()) ?? '',
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}

/** How to set up the tool, and which moments its calls make. */
export function Guide({ type, url }: { type: string; url: string | null }) {
  const page = useGuide(`integrations/${type}.md`);
  return <GuideText type={type} text={page && fittedGuide(page, url)} />;
}

export function GuideText({ type, text }: { type: string; text: string | undefined }) {
  if (text === '') return null;
  return (
    <section className="stack" aria-label={t('What to do in the tool')}>
      <h2>
        {type === 'custom' || type === 'heartbeat'
          ? t('What to do in your program')
          : t('What to do in {tool}', { tool: integrationName(type) })}
      </h2>
      {text && (
        <div className="card pad">
          <Markdown text={text} wrapped />
        </div>
      )}
    </section>
  );
}

/** The page for an existing webhook: with its URL, and without the instructions to create it. */
function fittedGuide(page: string, url: string | null): string {
  return withUrl(page, url)
    .replace(/^# .*\n/, '')
    .replace(CREATION_STEP, '1. Create the webhook: done.\n')
    .replace(/^```\ntocsin webhook create .*\n```\n\nIt prints the URL.*(?:\n.+)*\n/m, '')
    .replaceAll(/"?\$WEBHOOK_URL"?/g, url === null ? '"$WEBHOOK_URL"' : `"${url}"`)
    .replaceAll(LINKS_BETWEEN_PAGES, '$1');
}

/** The first step on the page of an integration. */
export const CREATION_STEP = /^1\. \[Create a webhook or a source\].*\n/m;

/** With the URL of the webhook or source in the configuration of the tool. */
export function withUrl(page: string, url: string | null): string {
  return url === null
    ? page
    : page.replaceAll(/https:\/\/tocsin\.example\.com\/moment\/<token>\/[\w-]+/g, () => url);
}

/** Links from one page of documentation to another, which lead nowhere in the dashboard. */
export const LINKS_BETWEEN_PAGES = /\[([^\]]+)\]\((?!https?:)[^)]+\)/g;
