/** `45 s`, `2 m 30 s`, `1 h 5 m`: a duration in at most two units. */
export function took(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const [unit, small, name, smallName] =
    whole < 3_600
      ? ([60, 1, 'm', 's'] as const)
      : whole < 86_400
        ? ([3_600, 60, 'h', 'm'] as const)
        : ([86_400, 3_600, 'd', 'h'] as const);
  const rest = Math.floor((whole % unit) / small);
  return `${Math.floor(whole / unit)} ${name}${rest === 0 ? '' : ` ${rest} ${smallName}`}`;
}

const figures = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 });

/** `7`, `3.5`, `6,335`: at most one decimal. */
export function figure(value: number): string {
  return figures.format(Math.round(value * 10) / 10 || 0).replace('-', '−');
}

/** `+1.5`, `−0.5`, `0`. */
export function signed(value: number): string {
  const text = figure(value);
  return value > 0 && text !== '0' ? `+${text}` : text;
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

const STEPS = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];
const DAY = 86_400;
const MOST_MARKS = 5;

/**
 * Ticks of an axis of whole numbers, from 0 to at least `most`: at most five steps of 1, 2 or 5 times a power of ten.
 */
export function countTicks(most: number): number[] {
  let step = 1;
  for (let next = 1; step * MOST_MARKS < most; next++)
    step = ([1, 2, 5][next % 3] ?? 1) * 10 ** Math.floor(next / 3);
  return ticksOf(step, most);
}

/** Ticks of an axis of seconds, from 0 to at least `most`: at most five steps, each of a round duration. */
export function durationTicks(most: number): number[] {
  const step = STEPS.find((one) => one * MOST_MARKS >= most) ?? DAY * Math.ceil(most / DAY / MOST_MARKS);
  return ticksOf(step, most);
}

function ticksOf(step: number, most: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, index) => index * step);
}
