import fc from 'fast-check';

/** Scenes for properties: a few people, up to three stages, absences and wishes at quarter days. */

const PEOPLE = ['A', 'B', 'C', 'D', 'E'];
export const quarterDays = (max: number) =>
  fc.integer({ min: 0, max: max * 4 }).map((quarters) => quarters / 4);
export const span = fc
  .tuple(quarterDays(26), fc.integer({ min: 1, max: 20 }))
  .map(([from, length]) => ({ from, to: from + length / 4 }));
export const person = fc.constantFrom(...PEOPLE);
const crew = fc.shuffledSubarray(PEOPLE);

export const scenes = fc.record({
  strategy: fc.constantFrom('rotation' as const, 'fair' as const),
  stages: fc.array(crew, { minLength: 1, maxLength: 3 }),
  seats: fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 3, maxLength: 3 }),
  away: fc.dictionary(
    person,
    fc.array(
      span.map(({ from, to }) => [from, to] as const),
      { maxLength: 4 },
    ),
  ),
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
