import { useQuery } from '@tanstack/react-query';
import classes from './markdown.module.css';

/**
 * Untrusted Markdown. Links open in a new tab, pictures become links, and nothing in it can run. Until the library is
 * loaded, the plain text is shown. `wrapped`: line breaks only wrap the text; otherwise they are kept.
 */
export function Markdown({ text, wrapped = false }: { text: string; wrapped?: boolean }) {
  const { data: html } = useQuery({
    queryKey: ['markdown', wrapped, text],
    queryFn: async () => (await import('./markdown-html.ts')).markdownHtml(text, wrapped),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  if (html === undefined) return <p className="wordwrap">{text}</p>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdownHtml sanitizes it
  return <div className={classes.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}
