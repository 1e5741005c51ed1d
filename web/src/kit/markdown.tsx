import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { t } from '../language/t.ts';
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
  const block = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other HTML has other code
  useEffect(() => {
    if (block.current) addCopyButtons(block.current);
  }, [html]);
  if (html === undefined) return <p className="wordwrap">{text}</p>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: markdownHtml sanitizes it
  return <div ref={block} className={classes.markdown} dangerouslySetInnerHTML={{ __html: html }} />;
}

const COPIED_MS = 2_000;

/** Puts a button on each block of code, which copies it. React leaves what is in such an element alone. */
function addCopyButtons(block: HTMLElement): void {
  for (const code of block.querySelectorAll('pre')) {
    if (code.parentElement?.classList.contains(classes.code ?? '')) continue;
    const frame = document.createElement('div');
    frame.className = classes.code ?? '';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = t('Copy');
    button.ariaLabel = t('Copy the code');
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(code.textContent?.replace(/\n$/, '') ?? '').then(() => {
        button.textContent = t('Copied');
        setTimeout(() => {
          button.textContent = t('Copy');
        }, COPIED_MS);
      });
    });
    code.replaceWith(frame);
    frame.append(code, button);
  }
}
