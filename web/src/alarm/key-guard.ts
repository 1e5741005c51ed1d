/** For this long after an alarm appears, keys do not act on it, because they were meant for what was shown before. */
const FIRST_MS = 1_000;
/** A key that was pressed too early is part of typing, and so is what follows it closely. */
const TYPING_MS = 500;
/** A key whose release went to another window is forgotten after this. */
const LOST_MS = 30_000;

const OVER = '[role="dialog"], [role="alertdialog"]';
const ALARM = '[role="alertdialog"]';
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);
/** They go through what is there, and change nothing. */
const HARMLESS = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

const held = new Map<string, number>();
let quietUntil = 0;
let mayAct = true;
let timer = 0;

/** Something appeared or went away, so that a key that is just being pressed may be meant for something else. */
export function appeared(): void {
  stayQuiet(FIRST_MS);
}

/** Whether the key that is being pressed was pressed deliberately: after a quiet second, alone, and not held since before. */
export function keyMayAct(): boolean {
  return mayAct;
}

/** Watches all keys before anybody else hears of them. Call it once. */
export function watchKeys(): void {
  window.addEventListener('keydown', pressed, { capture: true });
  window.addEventListener('keyup', released, { capture: true });
  window.addEventListener('blur', () => held.clear());
  new MutationObserver((mutations) => {
    if (mutations.some(({ addedNodes, removedNodes }) => isOver(addedNodes) || isOver(removedNodes)))
      appeared();
  }).observe(document.body, { childList: true, subtree: true });
  show();
}

function pressed(event: KeyboardEvent): void {
  const now = performance.now();
  const others = [...held].filter(([code, at]) => code !== event.code && now - at < LOST_MS);
  const isQuiet = now < quietUntil;
  mayAct = !isQuiet && !event.repeat && !held.has(event.code) && others.length === 0;
  if (MODIFIERS.has(event.key)) return;
  held.set(event.code, now);
  if (isQuiet && !HARMLESS.has(event.key)) stayQuiet(TYPING_MS);
  if (!mayAct && actsByItself(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

function released({ key, code }: KeyboardEvent): void {
  // While the command key is down, browsers on a Mac do not say when others are released.
  if (key === 'Meta') held.clear();
  else held.delete(code);
}

/** What an alarm or a button that got the focus by itself would take for an answer. */
function actsByItself({ key, target, ctrlKey, metaKey, altKey, repeat }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || HARMLESS.has(key)) return false;
  if (document.querySelector(ALARM)) return true;
  const button = (key === 'Enter' || key === ' ') && target instanceof Element && target.closest('button');
  return Boolean(button && (repeat || button.closest(OVER)));
}

function stayQuiet(ms: number): void {
  quietUntil = Math.max(quietUntil, performance.now() + ms);
  show();
}

/** Shown to styles and tests: `off` while no key acts. */
function show(): void {
  window.clearTimeout(timer);
  const left = quietUntil - performance.now();
  document.documentElement.dataset.keys = left > 0 ? 'off' : 'on';
  if (left > 0) timer = window.setTimeout(show, left + 1);
}

function isOver(nodes: NodeList): boolean {
  return [...nodes].some(
    (node) => node instanceof Element && (node.matches(OVER) || node.querySelector(OVER)),
  );
}
