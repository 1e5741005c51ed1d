import fc from 'fast-check';
import { person, span } from './scenes.ts';

const crew = fc.shuffledSubarray(['A', 'B', 'C'], { minLength: 1 });

/**
 * Scenes small enough to try all plans: three people, at most seven shifts, absences and preferences in quarters of a
 * day.
 */
export const smallScenes = fc
  .record({
    stages: fc.array(crew, { minLength: 1, maxLength: 2 }),
    seats: fc.tuple(fc.constantFrom(1, 1, 1, 2), fc.constant(1)),
    away: fc.dictionary(
      person,
      fc.array(
        span.map(({ from, to }) => [from / 4, to / 4] as const),
        { maxLength: 2 },
      ),
    ),
    wishes: fc.array(
      fc
        .record({ who: person, type: fc.constantFrom('soft_unavailable' as const, 'requested' as const) })
        .chain((wish) => span.map(({ from, to }) => ({ ...wish, from: from / 4, to: to / 4 }))),
      { maxLength: 3 },
    ),
    restHours: fc.constantFrom(0, 0, 24, 30),
    days: fc.integer({ min: 2, max: 6 }),
  })
  .map(({ days, ...scene }) => {
    const [first, second] = scene.seats;
    const seats = first + (scene.stages.length > 1 ? second : 0);
    return { ...scene, to: Math.min(days, Math.floor(7 / seats)) };
  });
