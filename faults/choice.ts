import { parseArgs } from 'node:util';
import type { Scenario } from './scenario.ts';

export type Choice = {
  chosen: readonly Scenario[];
  seed: number;
  seconds: number;
  short: boolean;
  histories: HistoriesChoice | null;
};

/**
 * Generated histories are played instead of scenarios: `count` of the seed, after the first `from`; `path` plays the one that a
 * failed run printed.
 */
export type HistoriesChoice = { count: number; from: number; path: string | undefined };

const USAGE = `npm run faults -- [OPTIONS]: makes what can go wrong go wrong, and holds the service to what it promises

  --only NAME,NAME   these scenarios alone; --list names them all
  --seconds N        how long each of them makes faults (60 if left out)
  --seed N           the same chance as in the run that printed it
  --short            the form that npm test runs
  --histories N      plays N generated histories instead (npm test plays 300)
  --from N           with --histories and --seed: leaves out the first N, which an interrupted run played
  --path P           with --histories and --seed: the one history that a failed run printed
  --list             the scenarios, and what must hold in each; nothing is run
  --help             this

Ends with 0 when every promise held, 1 when one is broken or nothing could be tried, 2 when it was asked for something else.`;

/** The selected options, or a text to print and the exit code. */
export function choiceOf(
  words: readonly string[],
  every: readonly Scenario[],
): Choice | { text: string; status: 0 | 2 } {
  const asked = optionsOf(words);
  if (asked instanceof Error) return { text: `${asked.message}\n\n${USAGE}`, status: 2 };
  if (asked.help) return { text: USAGE, status: 0 };
  if (asked.list) return { text: every.map(lineOf).join('\n'), status: 0 };
  const names = asked.only?.split(',');
  const unknown = names?.filter((name) => !every.some((scenario) => scenario.name === name)) ?? [];
  if (unknown.length > 0)
    return {
      text: `--only: there is no scenario ${unknown.map((name) => `"${name}"`).join(', ')}; there are: ${every.map(({ name }) => name).join(', ')}`,
      status: 2,
    };
  const [seed, seconds] = [Number(asked.seed ?? Math.floor(Math.random() * 2 ** 31)), Number(asked.seconds)];
  if (!Number.isSafeInteger(seed) || seed < 0)
    return { text: `--seed is "${asked.seed}"; give the whole number that a run printed`, status: 2 };
  if (!(seconds > 0) || !Number.isFinite(seconds))
    return { text: `--seconds is "${asked.seconds}"; give a number above 0, for example 60`, status: 2 };
  const histories =
    asked.histories === undefined
      ? null
      : { count: Number(asked.histories), from: Number(asked.from ?? 0), path: asked.path };
  if (histories && !(Number.isSafeInteger(histories.count) && histories.count > 0))
    return {
      text: `--histories is "${asked.histories}"; give a whole number above 0, for example 300`,
      status: 2,
    };
  const continues = histories && asked.seed !== undefined && Number.isSafeInteger(histories.from);
  if (asked.from !== undefined && !(continues && histories.from >= 0))
    return {
      text: `--from is "${asked.from}"; give the number of histories that a run has played, with its --histories and --seed`,
      status: 2,
    };
  if (asked.path !== undefined && !(histories && asked.seed !== undefined && /^\d+(:\d+)*$/.test(asked.path)))
    return {
      text: `--path is "${asked.path}"; give the numbers that a failed run printed, with its --histories and --seed`,
      status: 2,
    };
  const { short } = asked;
  const chosen = every.filter(({ name, inShortForm }) =>
    names ? names.includes(name) : !short || inShortForm,
  );
  return { chosen: histories ? [] : chosen, seed, seconds, short, histories };
}

function optionsOf(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: 'string' },
        seed: { type: 'string' },
        seconds: { type: 'string', default: '60' },
        short: { type: 'boolean', default: false },
        histories: { type: 'string' },
        from: { type: 'string' },
        path: { type: 'string' },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values;
  } catch (error) {
    return error as Error;
  }
}

function lineOf({ name, promise, inShortForm }: Scenario): string {
  return `${name.padEnd(18)}${promise}${inShortForm ? ' (also in npm test)' : ''}`;
}
