import { useQuery } from '@tanstack/react-query';
import { Markdown } from '../kit/markdown.tsx';
import { integrationName } from './integration-names.ts';

/** One page of documentation for each type, loaded when it is shown. */
const PAGES = import.meta.glob<string>('../../../docs/integrations/*.md', {
  query: '?raw',
  import: 'default',
});

/** How to set up the tool, and which moments its calls make. */
export function Guide({ type, url }: { type: string; url: string | null }) {
  const read = PAGES[`../../../docs/integrations/${type}.md`];
  const { data: page } = useQuery({
    queryKey: ['guide', type],
    queryFn: async () => (await read?.()) ?? '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!read) return null;
  return (
    <section className="stack" aria-label="What to do in the tool">
      <h2>What to do in {type === 'custom' ? 'your program' : integrationName(type)}</h2>
      {page && (
        <div className="card pad">
          <Markdown text={fittedGuide(page, url)} wrapped />
        </div>
      )}
    </section>
  );
}

/** The page for an existing webhook: with its URL, and without the instructions to create it. */
function fittedGuide(page: string, url: string | null): string {
  return page
    .replace(/^# .*\n/, '')
    .replace(/^1\. Create (?:the|a) webhook.*:\n\n {3}```\n.*\n {3}```\n/m, '1. Create the webhook: done.\n')
    .replace(/^```\ntocsin webhook create .*\n```\n\nprints a URL.*(?:\n.+)*\n/m, '')
    .replaceAll(/"?\$WEBHOOK_URL"?/g, url === null ? '"$WEBHOOK_URL"' : `"${url}"`)
    .replaceAll(/\[([^\]]+)\]\((?!https?:)[^)]+\)/g, '$1');
}
