import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { smallRotas } from '../../../testing/covers/rosters.ts';
import { aloneByHand } from '../../../testing/schedules/companions-by-hand.ts';
import type { Had } from '../../../testing/schedules/juniors-by-hand.ts';
import { cut } from '../../kit/interval.ts';
import { programsHere } from '../../optimizer/programs.ts';
import type { OnlyWith } from '../../schedules/companions.ts';
import { ineligibilities } from '../../schedules/eligibility.ts';
import { after, type Move, type Roster } from '../../schedules/roster.ts';
import { ineligibilityTexts } from '../ineligibility-text.ts';
import { smallestRepair } from '../repair.ts';
import { fewestChanges } from './fewest.ts';

const DAY = 86_400_000;
const some = fc.shuffledSubarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1, maxLength: 3 });
const rule = fc.record({ people: fc.option(some, { nil: null }), with: some });

/** The people who are really on call, without absent ones. */
function presentIn({ stints, absences }: Roster): Had[] {
  return stints.flatMap(({ from, to, userId }) => {
    if (userId === null) return [];
    return (absences.get(userId) ?? []).reduce<Had[]>(
      (left, absence) => left.flatMap((part) => cut(part, absence)),
      [{ from, to, userId }],
    );
  });
}

/** The people without a companion, at each of some instants. */
function alone(roster: Roster, rules: readonly OnlyWith[], instants: readonly number[]): Set<string> {
  const present = presentIn(roster);
  // Pieces of no length make it check these instants.
  const marks = instants.map((at): Had => ({ from: at, to: at, userId: '' }));
  return new Set(aloneByHand(rules, [...present, ...marks], present));
}

describe('repairs with people who are on call only together with others', () => {
  it('leave nobody alone who was not alone before', async () => {
    const programs = programsHere();
    let found = 0;
    const drawn = fc.sample(
      fc.record({ scene: smallRotas, rules: fc.array(rule, { minLength: 1, maxLength: 2 }) }),
      {
        numRuns: 150,
        seed: 3,
      },
    );
    for (const { scene, rules } of drawn) {
      const { vacancies } = scene;
      const roster: Roster = { ...scene.roster, onlyWith: rules };
      const least = await fewestChanges(programs, { roster, vacancies, at: -1, known: [] }, 60);
      const [first] = vacancies;
      const own = first ? smallestRepair(roster, first, -1) : null;
      for (const moves of [least?.moves ?? [], own?.moves ?? []]) {
        if (moves.length > 0) found++;
        const result = after(roster, moves);
        const instants = [...roster.stints, ...result.stints].flatMap(({ from, to }) => [from, to]);
        const before = alone(roster, rules, instants);
        const now = [...alone(result, rules, instants)].filter((one) => !before.has(one));
        assert.deepEqual(now, [], JSON.stringify({ stints: roster.stints, rules, moves }));
      }
    }
    assert.ok(found > 100, `${found}`);
  });

  it('name the person who would be alone, and the companions', () => {
    const shift = (stage: number, userId: string) => ({ stage, seat: 1, from: 0, to: DAY, userId });
    const roster = (first: string, second: string): Roster => ({
      stints: [shift(1, first), shift(2, second)],
      members: new Map([1, 2].map((stage) => [stage, ['ada', 'ben', 'cleo']])),
      seats: new Map(),
      ...{ absences: new Map(), wishes: new Map(), elsewhere: new Map(), restMs: 0 },
      rules: { limits: {}, elsewhere: 'allow', timeZone: 'UTC' },
      names: new Map(['ada', 'ben', 'cleo'].map((id) => [id, `${id[0]?.toUpperCase()}${id.slice(1)}`])),
      onlyWith: [{ people: ['cleo'], with: ['ada'] }],
    });
    const place = { stage: 1, seat: 1, from: 0, to: DAY };
    const said = (on: Roster, id: string, name: string) =>
      ineligibilityTexts({ roster: on, schedule: { timeZone: 'UTC' } }, { id, name }, place).map(
        ({ sentence }) => sentence,
      );
    assert.deepEqual(said(roster('ada', 'ben'), 'cleo', 'Cleo'), [
      'Cleo cannot: they would be on call without Ada',
    ]);
    assert.deepEqual(said(roster('ada', 'cleo'), 'ben', 'Ben'), [
      'Ben cannot: Cleo would be on call without Ada',
    ]);
    assert.deepEqual(said(roster('ben', 'ada'), 'cleo', 'Cleo'), []);
    // An absent companion does not count.
    const away: Roster = {
      ...roster('ben', 'ada'),
      absences: new Map([['ada', [{ id: '', from: 0, to: DAY / 2 }]]]),
    };
    assert.deepEqual(ineligibilities(away, 'cleo', place), ['alone']);
    const moves: Move[] = [{ ...place, gains: 'ben' }];
    assert.deepEqual(ineligibilities(after(roster('ada', 'ada'), moves), 'cleo', { ...place, stage: 2 }), [
      'alone',
    ]);
  });
});
