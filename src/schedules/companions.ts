/**
 * Who is on call only together with others: a junior with a senior, two people always together, or one of several
 * people at all times. Planning, covers, swaps and warnings use these rules.
 */
import { cut, type Interval } from '../kit/interval.ts';
import { listed, t } from '../language/contract.ts';

/** While one of `people` is on call, one of `with` is on call, too. Null means everybody who is not in `with`. */
export type OnlyWith = { people: readonly string[] | null; with: readonly string[] };

/**
 * Why a person cannot have a shift. `alone`: the person who would be on call without any of `with`; if left out, the
 * person themselves.
 */
export type AloneRefusal = { because: 'alone'; with: readonly string[]; alone?: string };

/** The companions of a person: one list for each rule that applies to them. One person of each list has to be on call, too. */
export function companionsOf(rules: readonly OnlyWith[], userId: string): (readonly string[])[] {
  return rules.flatMap(({ people, with: others }) => {
    const applies = people === null ? !others.includes(userId) : people.includes(userId);
    return applies ? [others.filter((other) => other !== userId)] : [];
  });
}

/** The parts of some spans during which nobody is on call. `onCall`: when others are on call. */
export function timesAlone(spans: readonly Interval[], onCall: readonly Interval[]): Interval[] {
  return onCall.reduce<Interval[]>(
    (left, one) => left.flatMap((part) => cut(part, one)),
    spans.map(({ from, to }) => ({ from, to })),
  );
}

/** Why a person cannot have a shift. `name`: of that person. */
export function aloneText(
  name: string,
  { with: others, alone }: AloneRefusal,
  nameOf: (userId: string) => string,
): string {
  const named = others.slice(0, MOST_NAMED).map(nameOf);
  const more = others.length - named.length;
  const companions = listed([...named, ...(more > 0 ? [t('{count} more', { count: more })] : [])], 'or');
  return alone === undefined
    ? t('{name} cannot: they would be on call without {companions}', { name, companions })
    : t('{name} cannot: {alone} would be on call without {companions}', {
        ...{ name, companions, alone: nameOf(alone) },
      });
}

const MOST_NAMED = 5;
