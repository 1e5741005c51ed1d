import { useQuery } from '@tanstack/react-query';
import classes from './markdown.module.css';

/**
 * Text in Markdown, by whoever wrote it: what it links to opens elsewhere, pictures become links, and nothing of it
 * runs. Until its library is there, and should that never come, the text stands as it is. `wrapped`: its lines were
 * broken to fit a page, and mean nothing; else whoever wrote it meant them.
 */
export function Markdown({ text, wrapped = false }: { text: string; wrapped?: boolean }) {
  const { data: html } = useQuery({
    queryKey: ['markdown', wrapped, text],
    queryFn: async () => (await import('./markdown-html.ts')).markdownHtml(text, wrapped),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  if (html === undefined) return <p className="wordwrap">{text}</p>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdownHtml sanitised it
  return <div className={classes.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}
