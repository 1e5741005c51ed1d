/** Partials of a bell and their volume; the low ones last longest. */
const PARTIALS = [
  [1, 0.5, 1.4],
  [2, 0.25, 1],
  [2.4, 0.3, 0.8],
  [3, 0.15, 0.5],
  [4.2, 0.1, 0.35],
] as const;
const STROKE_MS = 1_100;

let context: AudioContext | null = null;

function audio(): AudioContext {
  context ??= new AudioContext();
  return context;
}

/**
 * Browsers play no sound before the first interaction with the page. Returns a function that stops listening for one.
 */
export function allowSound(): () => void {
  const unlock = () => void audio().resume();
  const events = ['pointerdown', 'keydown'] as const;
  for (const event of events) window.addEventListener(event, unlock, { passive: true });
  return () => {
    for (const event of events) window.removeEventListener(event, unlock);
  };
}

export function canSound(): boolean {
  return audio().state === 'running';
}

/** Repeats two strokes, high and low, until stopped. */
export function startBell(): () => void {
  let count = 0;
  const stroke = () => {
    if (canSound()) strike(count % 2 === 0 ? 660 : 523);
    vibrate([300, 150, 300]);
    count++;
  };
  stroke();
  const timer = setInterval(stroke, STROKE_MS);
  return () => {
    clearInterval(timer);
    vibrate(0);
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
