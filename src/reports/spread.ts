import { highestOf, lowestOf } from '../kit/extremes.ts';
import { t } from '../language/contract.ts';
import type { Spread } from './api-contract.ts';
import { gini, rounded } from './figures.ts';

/** The load of one member of a stage. */
export type Carrier = {
  name: string;
  shifts: number;
  /** How many shifts they had beyond their share. */
  balance: number;
  burden: number;
  /** How much of the time they were available. */
  present: number;
};

/** How far apart the members of a rotation are. */
export function spreadOf(carriers: readonly Carrier[]): Spread {
  const there = carriers.filter(({ present, shifts }) => present > 0 || shifts > 0);
  const range = width(there.map(({ shifts }) => shifts));
  const from_share = width(there.map(({ balance }) => balance));
  const loads = there.filter(({ present }) => present > 0).map(({ burden, present }) => burden / present);
  return {
    range: rounded(range),
    from_share: rounded(from_share),
    gini: rounded(gini(loads)),
    sentence: sentence(there, range, from_share),
  };
}

function width(values: readonly number[]): number {
  return values.length === 0 ? 0 : highestOf(values) - lowestOf(values);
}

function sentence(carriers: readonly Carrier[], range: number, fromShare: number): string {
  if (carriers.length === 0) return t('Nobody is in the rotation during this time.');
  if (carriers.length === 1) return t('{name} has all of the load.', { name: carriers[0]?.name ?? '' });
  const sorted = carriers.toSorted((a, b) => a.balance - b.balance);
  const [least, most] = [sorted[0]?.name ?? '', sorted.at(-1)?.name ?? ''];
  const [apart, more] = [range, fromShare].map((shifts) => Math.round(shifts * 10) / 10) as [number, number];
  if (fromShare <= 1)
    return t(
      'The most and the fewest shifts of one person differ by {apart, plural, =1 {1 shift} other {# shifts}}. Measured by the time that each person was a member, nobody has more than {more, plural, =1 {1 shift} other {# shifts}} more than anybody else.',
      { apart, more },
    );
  return t(
    'The most and the fewest shifts of one person differ by {apart, plural, =1 {1 shift} other {# shifts}}. Measured by the time that each person was a member, {most} has {more, plural, =1 {1 shift} other {# shifts}} more than {least}.',
    { apart, most, more, least },
  );
}
