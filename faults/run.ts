/**
 * `npm run faults -- [--only NAME,NAME] [--seed N] [--seconds N] [--short] [--list] [--histories N]`: injects faults into real
 * processes and a real PostgreSQL, and compares what was observed from outside with the promises of the service. Exits
 * with 1 when a promise is broken.
 */
import { availableParallelism } from 'node:os';
import { choiceOf, type HistoriesChoice } from './choice.ts';
import { EVERY_SCENARIO } from './every-scenario.ts';
import { reportOf } from './histories/report.ts';
import { playHistories } from './histories/run.ts';
import { makePlace, type Place } from './place.ts';
import { type MortalPostgres, mortalPostgres } from './postgres.ts';
import { seededRandom } from './random.ts';
import type { Scenario, Verdict } from './scenario.ts';

const choice = choiceOf(process.argv.slice(2), EVERY_SCENARIO);
if ('text' in choice) {
  if (choice.status === 0) console.log(choice.text);
  else console.error(choice.text);
  process.exit(choice.status);
}
const { chosen, seed, seconds, short, histories } = choice;

console.log(
  `Seed ${seed}; again with: npm run faults -- --seed ${seed}${histories ? ` --histories ${histories.count}` : ''}`,
);
const random = seededRandom(seed);
if (histories) process.exit(await playAll(histories));
const shared: { postgres?: Promise<MortalPostgres> } = {};
const brokenNames: string[] = [];
const skippedNames: string[] = [];
try {
  for (const scenario of chosen) {
    const verdict = await runOne(scenario);
    tell(scenario, verdict);
    if (verdict.broken.length > 0) brokenNames.push(scenario.name);
    else if (verdict.skipped) skippedNames.push(scenario.name);
  }
} finally {
  await (await shared.postgres)?.remove();
}
process.exitCode = conclude();

function conclude(): 0 | 1 {
  const tried = chosen.length - skippedNames.length;
  if (brokenNames.length > 0) console.log(`\nBroken: ${brokenNames.join(', ')}`);
  else if (tried === 0) console.log('\nNothing could be tried here.');
  else console.log(`\nEvery promise held in ${tried} ${tried === 1 ? 'scenario' : 'scenarios'}.`);
  if (skippedNames.length > 0)
    console.log(`Not tried here: ${skippedNames.join(', ')}; each says above why.`);
  return brokenNames.length === 0 && tried > 0 ? 0 : 1;
}

/** The PostgreSQL that scenarios share, which is started for the first one that has no other. */
function postgres(): Promise<MortalPostgres> {
  shared.postgres ??= mortalPostgres();
  return shared.postgres;
}

/** Here the database really dies when a history says that it is away, so each lane has a PostgreSQL of its own. */
async function playAll({ count, from, path }: HistoriesChoice): Promise<0 | 1> {
  const found = await playHistories({
    ...{ count, from, path, seed, lanes: availableParallelism() + 1 },
    async ground() {
      const own = await mortalPostgres();
      return {
        database: () => own.database(),
        server: {
          async kill() {
            await own.end('SIGKILL');
            await own.start();
          },
          standBy: () => own.standBy(),
          async promote() {
            await own.revive();
            await own.promote();
          },
        },
        remove: () => own.remove(),
      };
    },
    onProgress({ played }) {
      if (played % 100 === 0) console.log(`        ${played} histories`);
    },
    onBroken(at, broken) {
      console.log(`        history ${at} broke a promise: ${broken.join('; ')}`);
    },
  });
  console.log(`\n${reportOf(found)}`);
  return found.failures.length === 0 ? 0 : 1;
}

async function runOne(scenario: Scenario): Promise<Verdict> {
  const places: Place[] = [];
  const stage = {
    seconds,
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

function tell({ name, promise }: Scenario, { figures, broken, skipped }: Verdict): void {
  const held = broken.length > 0 ? 'BROKEN ' : skipped ? 'skipped' : 'holds  ';
  console.log(`\n${held} ${name}: ${promise}`);
  for (const [what, figure] of Object.entries(figures)) console.log(`        ${what.padEnd(30)}${figure}`);
  if (skipped) console.log(`        not tried: ${skipped}`);
  for (const sentence of broken) console.log(`        ! ${sentence}`);
}
