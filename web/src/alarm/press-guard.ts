import { showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';

/** Somebody who presses a button on purpose has seen it at its place for at least this long. */
const SEEN_MS = 400;

/** `data-acts` names what a button does and to what, such as `resolve page_01…`; rows of lists are links. */
const PLACES = '[data-acts], [data-row]';
const ALARM = '[role="alertdialog"]';

/** Where something is in the document, so that scrolling moves nothing. */
type Place = { what: string; left: number; top: number; right: number; bottom: number };

let places: readonly Place[] = [];
/** Places that something else took, or that are empty now. */
let former: readonly (Place & { until: number })[] = [];
const shownSince = new Map<string, number>();
let pressed: { what: string; meantIt: boolean } | null = null;
let frame = 0;
let timer = 0;

/**
 * Keeps presses from acting on something that had just appeared under the pointer: a row that moved because a page
 * arrived, “Resolve” where “Acknowledge” was before a double click, another alarm. Such a button is marked as disabled
 * for that long. Watches the pointer in the capture phase, before other listeners. Call it once. Keys have a guard of
 * their own.
 */
export function watchPresses(): void {
  new MutationObserver(() => {
    window.cancelAnimationFrame(frame);
    frame = window.requestAnimationFrame(look);
  }).observe(document.body, {
    ...{ childList: true, subtree: true },
    attributeFilter: ['style', 'data-acts'],
  });
  window.addEventListener('scroll', settle, { capture: true, passive: true });
  window.addEventListener('resize', settle);
  window.addEventListener('pointerdown', down, { capture: true });
  window.addEventListener('click', click, { capture: true });
}

/**
 * Accepts where everything is now, unless a change of the document is still to be looked at: what was moved by scrolling,
 * by a resize or by a font was not put under the pointer by data.
 */
function settle(): void {
  if (frame === 0) places = elementsWithPlaces().map(placeOf);
}

function elementsWithPlaces(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(PLACES)];
}

function look(): void {
  window.cancelAnimationFrame(frame);
  frame = 0;
  const now = performance.now();
  const elements = elementsWithPlaces();
  const before = places;
  places = elements.map(placeOf);
  const left = before.filter((old) => !places.some((one) => one.what === old.what && isSame(one, old)));
  former = [
    ...former.filter(({ until }) => now - until < SEEN_MS),
    ...left.map((old) => ({ ...old, until: now })),
  ];
  const shown = new Set(places.map(({ what }) => what));
  for (const what of shownSince.keys()) if (!shown.has(what)) shownSince.delete(what);
  for (const what of shown) if (!shownSince.has(what)) shownSince.set(what, now);
  const waits = elements.map((element) => mark(element, now));
  window.clearTimeout(timer);
  const longest = Math.max(0, ...waits);
  if (longest > 0) timer = window.setTimeout(look, Math.ceil(longest));
}

/** Marks a button while it may not be pressed; returns how long that is. */
function mark(element: HTMLElement, now: number): number {
  const { acts } = element.dataset;
  if (acts === undefined) return 0;
  const place = placeOf(element);
  const others = former.filter((one) => one.what !== acts && overlap(one, place));
  const since = element.closest(ALARM) ? (shownSince.get(acts) ?? now) : Number.NEGATIVE_INFINITY;
  const wait = Math.max(since, ...others.map(({ until }) => until)) + SEEN_MS - now;
  if (wait > 0) element.setAttribute('aria-disabled', 'true');
  else element.removeAttribute('aria-disabled');
  return Math.max(0, wait);
}

function down({ target }: PointerEvent): void {
  pressed = null;
  const button = buttonAt(target);
  if (!button) return;
  settle();
  look();
  pressed = { what: placeOf(button).what, meantIt: button.ariaDisabled !== 'true' };
}

function click(event: MouseEvent): void {
  const button = buttonAt(event.target);
  // Keys and assistive technology click without a pointer.
  if (!button || event.detail === 0) return;
  const meantIt = pressed?.meantIt === true && pressed.what === placeOf(button).what;
  if (meantIt) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.detail === 1)
    showToast(t('Something else was there a moment ago, so nothing was done. Press again.'));
}

function buttonAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('[data-acts]') : null;
}

function placeOf(element: HTMLElement): Place {
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const [x, y] = [window.scrollX, window.scrollY];
  const what = element.dataset.acts ?? element.getAttribute('href') ?? '';
  return { what, left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

function isSame(one: Place, other: Place): boolean {
  return Math.abs(one.left - other.left) < 1 && Math.abs(one.top - other.top) < 1;
}

function overlap(one: Place, other: Place): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
