import { locale } from '../../../src/language/contract.ts';
import { t } from '../language/t.ts';
/** `45 s`, `2 m 30 s`, `1 h 5 m`: a duration in at most two units. */
export function took(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return t('{s} s', { s: whole });
  const [unit, small] = whole < 3_600 ? [60, 1] : whole < 86_400 ? [3_600, 60] : [86_400, 3_600];
  const [of, rest] = [Math.floor(whole / unit), Math.floor((whole % unit) / small)];
  if (unit === 60) return rest === 0 ? t('{m} m', { m: of }) : t('{m} m {s} s', { m: of, s: rest });
  if (unit === 3_600) return rest === 0 ? t('{h} h', { h: of }) : t('{h} h {m} m', { h: of, m: rest });
  return rest === 0 ? t('{d} d', { d: of }) : t('{d} d {h} h', { d: of, h: rest });
}

// English is written as in Britain, like its dates.
const figures = new Intl.NumberFormat(locale() === 'en' ? 'en-GB' : locale(), { maximumFractionDigits: 1 });

/** `7`, `3.5`, `6,335`: at most one decimal. */
export function figure(value: number): string {
  return figures.format(Math.round(value * 10) / 10 || 0).replace('-', '−');
}

/** `+1.5`, `−0.5`, `0`. */
export function signed(value: number): string {
  const text = figure(value);
  return value > 0 && text !== '0' ? `+${text}` : text;
}

/** `0.12`: the inequality between people, from 0 to 1. */
export function giniFigure(value: number): string {
  return new Intl.NumberFormat(locale(), { minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(
    value,
  );
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
