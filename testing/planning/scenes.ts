import fc from 'fast-check';

/** Scenes for property tests: a few people, up to three stages, absences and preferences in quarters of a day. */

const PEOPLE = ['A', 'B', 'C', 'D', 'E'];
export const quarterDays = (max: number) =>
  fc.integer({ min: 0, max: max * 4 }).map((quarters) => quarters / 4);
export const span = fc
  .tuple(quarterDays(26), fc.integer({ min: 1, max: 20 }))
  .map(([from, length]) => ({ from, to: from + length / 4 }));
export const person = fc.constantFrom(...PEOPLE);
const crew = fc.shuffledSubarray(PEOPLE);

export type Drawn<A> = A extends fc.Arbitrary<infer T> ? T : never;

export const absences = fc.dictionary(
  person,
  fc.array(
    span.map(({ from, to }) => [from, to] as const),
    { maxLength: 4 },
  ),
);
export const overrideOf = fc
  .record({ who: person, stage: fc.integer({ min: 1, max: 3 }) })
  .chain((who) => span.map((when) => ({ ...who, ...when })));

/** Times when anybody is on call, each at least a quarter of a day; undefined: always. */
export const openHours = fc.option(
  fc
    .uniqueArray(fc.integer({ min: 0, max: 4 * 26 }), { minLength: 2, maxLength: 24 })
    .map((quarters) => quarters.sort((a, b) => a - b).map((quarter) => quarter / 4))
    .map((bounds) =>
      bounds.flatMap((from, index): (readonly [number, number])[] => {
        const to = bounds[index + 1];
        return index % 2 === 0 && to !== undefined ? [[from, to]] : [];
      }),
    ),
  { nil: undefined },
);

export const scenes = fc.record({
  strategy: fc.constantFrom('rotation' as const, 'fair' as const),
  stages: fc.array(crew, { minLength: 1, maxLength: 3 }),
  seats: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 3, maxLength: 3 }),
  away: absences,
  wishes: fc.array(
    fc
      .record({ who: person, type: fc.constantFrom('soft_unavailable' as const, 'requested' as const) })
      .chain((wish) => span.map((when) => ({ ...wish, ...when }))),
    { maxLength: 3 },
  ),
  restHours: fc.constantFrom(0, 0, 24, 30),
  at: quarterDays(2),
  length: fc.constantFrom(1, 2),
  to: fc.integer({ min: 8, max: 24 }),
});
