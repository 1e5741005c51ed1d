import { useEffect } from 'react';

const NAME = 'Tocsin';

/**
 * The browser's tab is called as what it shows: by the first heading of the view. While `ringing` pages wait for the viewer, that
 * goes before.
 */
export function useTitle(ringing: number): void {
  useEffect(() => {
    const main = document.getElementById('main');
    const set = () => {
      const heading = main?.querySelector('h1')?.textContent?.trim();
      const title = heading ? `${heading} · ${NAME}` : NAME;
      const wanted = ringing > 0 ? `(${ringing}) Page for you · ${title}` : title;
      if (document.title !== wanted) document.title = wanted;
    };
    set();
    const observer = new MutationObserver(set);
    if (main) observer.observe(main, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [ringing]);
}
