import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';

/** J and K, or the arrow keys, move between the rows of a list; Enter opens the one that has the focus. */
export function useRowKeys(): void {
  useViewHotkeys([
    ['j', () => go(1)],
    ['k', () => go(-1)],
    ['ArrowDown', (event) => arrow(event, 1), { preventDefault: false }],
    ['ArrowUp', (event) => arrow(event, -1), { preventDefault: false }],
  ]);
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('#main [data-row]')];
}

function go(by: 1 | -1): void {
  const all = rows();
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by;
  all[next]?.focus();
  all[next]?.closest('article, li, .line')?.scrollIntoView({ block: 'nearest' });
}

/** Arrow keys scroll until a row has the focus. */
function arrow(event: KeyboardEvent, by: 1 | -1): void {
  if (!rows().includes(document.activeElement as HTMLElement)) return;
  event.preventDefault();
  go(by);
}
