import { useEffect } from 'react';
import type { Connection } from '../api/live.ts';
import { t } from '../language/t.ts';

const NAME = 'Tocsin';

/**
 * Sets the browser's title to the first heading of the view. Pages that wait for the viewer or that nobody answered
 * come before it, and so does a lost connection: a background tab must show that pages cannot reach it.
 */
export function useTitle(
  { ringing, unanswered }: { ringing: number; unanswered: number },
  connection: Connection,
): void {
  useEffect(() => {
    const main = document.getElementById('main');
    const away = connection === 'silent' || connection === 'lost' ? `${t('Not connected')} · ` : '';
    const before =
      ringing > 0
        ? `(${ringing}) ${t('Page for you')} · `
        : unanswered > 0
          ? `(${unanswered}) ${t('Nobody answered')} · `
          : '';
    const set = () => {
      const heading = main?.querySelector('h1')?.textContent?.trim();
      const title = `${away}${heading ? `${heading} · ` : ''}${NAME}`;
      const wanted = `${before}${title}`;
      if (document.title !== wanted) document.title = wanted;
    };
    set();
    const observer = new MutationObserver(set);
    if (main) observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [ringing, unanswered, connection]);
}
