/** Partials of a bell and their volume; the low ones last longest. */
const PARTIALS = [
  [1, 0.5, 1.4],
  [2, 0.25, 1],
  [2.4, 0.3, 0.8],
  [3, 0.15, 0.5],
  [4.2, 0.1, 0.35],
] as const;
const STROKE_MS = 1_100;

/** After this the last stroke has faded. */
const FADED_MS = 1_500;

let context: AudioContext | null = null;
/** Whether this browser has played sound, which it does not before the first interaction with the page. */
let isAllowed = false;
let isRinging = false;

function audio(): AudioContext {
  if (context) return context;
  context = new AudioContext();
  context.addEventListener('statechange', noteState);
  return context;
}

function noteState(): void {
  if (context?.state !== 'running') return;
  isAllowed = true;
  rest();
}

/** Without this, the browser computes silence for as long as the dashboard is open. */
function rest(): void {
  if (!isRinging && context?.state === 'running') void context.suspend();
}

/**
 * Browsers play no sound before the first interaction with the page. Returns a function that stops listening for one.
 */
export function allowSound(): () => void {
  const unlock = () => {
    if (!isAllowed) void audio().resume();
  };
  const events = ['pointerdown', 'keydown'] as const;
  for (const event of events) window.addEventListener(event, unlock, { passive: true });
  return () => {
    for (const event of events) window.removeEventListener(event, unlock);
  };
}

export function canSound(): boolean {
  // Where sound is allowed at once, it starts with its first use.
  audio();
  return isAllowed;
}

/** Repeats two strokes, high and low, until stopped. */
export function startBell(): () => void {
  let count = 0;
  isRinging = true;
  const stroke = () => {
    const own = ++count;
    // The sound rests between alarms, and a phone call interrupts it; strokes that were missed are not made up for.
    if (canSound())
      void audio()
        .resume()
        .then(() => {
          if (isRinging && own === count) strike(own % 2 === 1 ? 660 : 523);
        });
    vibrate([300, 150, 300]);
  };
  stroke();
  const timer = setInterval(stroke, STROKE_MS);
  return () => {
    clearInterval(timer);
    vibrate(0);
    isRinging = false;
    setTimeout(rest, FADED_MS);
  };
}

/** Browsers allow vibration, like sound, only after an interaction with the page. */
function vibrate(pattern: number | number[]): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

function strike(pitch: number): void {
  const { currentTime: at, destination } = audio();
  for (const [ratio, loudness, seconds] of PARTIALS) {
    const oscillator = audio().createOscillator();
    const gain = audio().createGain();
    oscillator.frequency.value = pitch * ratio;
    gain.gain.setValueAtTime(0, at);
    gain.gain.linearRampToValueAtTime(loudness * 0.6, at + 0.005);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
    oscillator.connect(gain).connect(destination);
    oscillator.start(at);
    oscillator.stop(at + seconds);
  }
}
