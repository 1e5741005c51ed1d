import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inputOf } from '../../../testing/planning/problems.ts';
import { DAY, type Scene } from '../../../testing/planning/scene.ts';
import { smallScenes } from '../../../testing/planning/small-scenes.ts';
import { programsHere } from '../../optimizer/programs.ts';
import { contradictionText } from './contradiction-text.ts';
import { solvePlan } from './planning.ts';

const programs = programsHere();
const NAMES = new Map([
  ['A', 'Ada'],
  ['B', 'Ben'],
  ['C', 'Cleo'],
]);

const gapsOf = async (scene: Scene) =>
  (await solvePlan(programs, inputOf(scene))).shifts.filter(({ userId }) => userId === null);

/** The reason of each gap, in words. */
async function sentences(scene: Scene): Promise<string[]> {
  return (await gapsOf(scene)).map(({ contradiction }) => {
    assert.ok(contradiction);
    const nameOf = (userId: string) => NAMES.get(userId) ?? userId;
    return contradictionText(contradiction, {
      nameOf,
      timeZone: 'UTC',
      restMs: (scene.restHours ?? 0) * 3_600_000,
    });
  });
}

describe('a gap', () => {
  it('names what keeps each member from the shift', async () => {
    const scene = { stages: [['A', 'B']], away: { A: [[0, 4] as const], B: [[2, 3.5] as const] }, to: 4 };
    assert.deepEqual(await sentences(scene), [
      'nobody can take stage 1 from 3 January 00:00 to 4 January 00:00: Ada is away until 5 January 00:00; Ben is away until 4 January 12:00',
      'nobody can take stage 1 from 4 January 00:00 to 5 January 00:00: Ada is away until 5 January 00:00; Ben is away until 4 January 12:00',
    ]);
  });

  it('names people who would be needed in two stages at once, and nobody else', async () => {
    const scene = {
      stages: [
        ['A', 'B'],
        ['A', 'C'],
      ],
      away: { B: [[0, 1] as const], C: [[0, 2] as const] },
      to: 1,
    };
    assert.deepEqual(await sentences(scene), [
      'nobody can take stage 2 from 1 January 00:00 to 2 January 00:00: for stage 2 and stage 1 there is only Ada; Cleo is away until 3 January 00:00; Ben is away until 2 January 00:00',
    ]);
  });

  it('names the missing rest', async () => {
    const [sentence] = await sentences({ stages: [['A', 'B']], away: { B: [[0, 2]] }, restHours: 20, to: 2 });
    assert.match(sentence ?? '', /Ada has stage 1 from .* and needs 20 hours of rest; Ben is away until/);
  });

  it('names a stage without members', async () => {
    assert.match((await sentences({ stages: [[]], to: 1 }))[0] ?? '', /: the stage has no members$/);
  });

  it('holds only with all of the records that it names: without any one, the gap closes', async () => {
    let tried = 0;
    for (const scene of fc.sample(smallScenes, { numRuns: 100, seed: 8 })) {
      const before = await gapsOf({ ...scene, restHours: 0 });
      const contradiction = before[0]?.contradiction;
      for (const obstacle of contradiction?.obstacles ?? []) {
        if (obstacle.because !== 'unavailable') continue;
        const { from, to } = obstacle.record;
        const others = (scene.away[obstacle.userId] ?? []).filter(
          ([start, end]) => start * DAY !== from || end * DAY !== to,
        );
        const own = contradiction?.shifts ?? [];
        // A person with two absences is named with one of them; the other one still applies.
        if (
          others.some(([start, end]) => own.some((shift) => start * DAY < shift.to && shift.from < end * DAY))
        )
          continue;
        tried++;
        const after = await gapsOf({
          ...scene,
          restHours: 0,
          away: { ...scene.away, [obstacle.userId]: others },
        });
        assert.ok(after.length < before.length, JSON.stringify({ scene, obstacle }));
      }
    }
    assert.ok(tried > 10, `${tried}`);
  });
});
