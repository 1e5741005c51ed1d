/** For this long after an alarm appears, keys do not act on it, because they were meant for the view before it. */
const FIRST_MS = 1_000;
/** A key pressed too early is taken for typing, and so are keys that follow it within this time. */
const TYPING_MS = 500;
/** If a key is released while another window has the focus, no event arrives; the key is forgotten after this time. */
const LOST_MS = 30_000;

const OVER = '[role="dialog"], [role="alertdialog"]';
const ALARM = '[role="alertdialog"]';
const MODIFIERS = new Set(['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock']);
/** These keys only move the focus or scroll. */
const HARMLESS = new Set(['Tab', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End']);

const held = new Map<string, number>();
let quietUntil = 0;
let mayAct = true;
let covered = false;
let timer = 0;

/** Call when something appears or disappears: a key that is pressed at that moment may be meant for something else. */
export function appeared(): void {
  stayQuiet(FIRST_MS);
}

/** Whether the key was pressed deliberately: after a quiet second, alone, and not held since before. */
export function keyMayAct(): boolean {
  return mayAct;
}

/**
 * Whether an alarm or a dialog was over the view when the last key was pressed. The key may have closed it since: Escape
 * closes a dialog before views see the key.
 */
export function isViewCovered(): boolean {
  return covered || document.querySelector(OVER) !== null;
}

/** Watches all keys in the capture phase, before other listeners. Call it once. */
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
  covered = document.querySelector(OVER) !== null;
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
  // Browsers on macOS report no keyup of other keys while the command key is down.
  if (key === 'Meta') held.clear();
  else held.delete(code);
}

/** Whether the key would make an alarm or a button that was focused automatically act. */
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

/** Exposed to styles and tests as `data-keys`; `off` while keys do not act. */
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
