/**
 * `npm run faults -- [--only NAME,NAME] [--seed N] [--seconds N] [--short]`: makes what can go wrong go wrong, with real
 * processes and a real PostgreSQL, and holds what the world outside saw to what is promised. Ends with 1 when a
 * promise is broken.
 */
import { parseArgs } from 'node:util';
import { EVERY_SCENARIO } from './every-scenario.ts';
import { makePlace, type Place } from './place.ts';
import { mortalPostgres } from './postgres.ts';
import { seededRandom } from './random.ts';
import type { Scenario, Verdict } from './scenario.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    seconds: { type: 'string', default: '60' },
    short: { type: 'boolean', default: false },
  },
});
const short = values.short;
const names = values.only?.split(',');
const chosen = EVERY_SCENARIO.filter(({ name, inShortForm }) =>
  names ? names.includes(name) : !short || inShortForm,
);
if (chosen.length === 0) {
  console.error(`There is no such scenario; there are: ${EVERY_SCENARIO.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}

console.log(`Seed ${values.seed}; again with: npm run faults -- --seed ${values.seed}`);
const random = seededRandom(Number(values.seed));
const postgres = await mortalPostgres();
const brokenNames: string[] = [];
try {
  for (const scenario of chosen) {
    const verdict = await runOne(scenario);
    tell(scenario, verdict);
    if (verdict.broken.length > 0) brokenNames.push(scenario.name);
  }
} finally {
  await postgres.remove();
}
console.log(
  brokenNames.length === 0
    ? `\nEvery promise held in ${chosen.length} scenarios.`
    : `\nBroken: ${brokenNames.join(', ')}`,
);
process.exitCode = brokenNames.length === 0 ? 0 : 1;

async function runOne(scenario: Scenario): Promise<Verdict> {
  const places: Place[] = [];
  const stage = {
    seconds: Number(values.seconds),
    short,
    random,
    async place(options = {}) {
      const made = await makePlace(scenario.name, postgres, random, options);
      places.push(made);
      return made;
    },
  };
  try {
    return await scenario.run(stage);
  } catch (error) {
    return { figures: {}, broken: [error instanceof Error ? (error.stack ?? error.message) : String(error)] };
  } finally {
    for (const made of places) await made.end();
  }
}

function tell({ name, promise }: Scenario, { figures, broken }: Verdict): void {
  console.log(`\n${broken.length === 0 ? 'holds ' : 'BROKEN'}  ${name}: ${promise}`);
  for (const [what, figure] of Object.entries(figures)) console.log(`        ${what.padEnd(30)}${figure}`);
  for (const sentence of broken) console.log(`        ! ${sentence}`);
}
