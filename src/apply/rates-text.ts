import { HOUR_CLASSES, type HourClass, type Rates } from '../pay/contract.ts';
import { rateOf } from '../pay/money.ts';
import { difference } from './change.ts';

/** The differences between two sets of rates: `on call, night: was 2.50, is 2.75`. `2.5` and `2.50` are the same. */
export function ratesDifferences(before: Rates, after: Rates): string[] {
  const [was, is] = [before, after].map(textsOf);
  const names = [...new Set([...(was ?? []), ...(is ?? [])].map(([name]) => name))];
  const [wasOf, isOf] = [new Map(was), new Map(is)];
  return names.flatMap((name) => {
    const [one, other] = [wasOf.get(name) ?? null, isOf.get(name) ?? null];
    return isSame(one, other) ? [] : difference(name, one, other);
  });
}

const RATE = /^[0-9]{1,6}([.][0-9]{1,4})?$/;

function isSame(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  return (
    one !== null && other !== null && RATE.test(one) && RATE.test(other) && rateOf(one) === rateOf(other)
  );
}

/** Each setting of rates by its name. */
function textsOf({ on_call, called_out, stages = [], ...rates }: Rates): [string, string][] {
  const { minimum_minutes, step_minutes, longest_hours, on_call: during, ...out } = called_out;
  return [
    ...classTexts('on call', on_call),
    ...stages.flatMap(({ from_stage, on_call: own }) => classTexts(`on call from stage ${from_stage}`, own)),
    ...classTexts('called out', out),
    ['minimum', `${minimum_minutes} minutes`],
    ['step', `${step_minutes} minutes`],
    ['at most for a page', `${longest_hours} hours`],
    ['being on call during a call-out', during],
    ['overlap', rates.overlap],
    ['night', `${rates.night.from}–${rates.night.to}`],
    ['weekend', rates.weekend.toSorted().join(' ')],
    [
      'working hours',
      rates.working_hours.map(({ days, from, to }) => `${days.join(' ')} ${from}–${to}`).join(', ') || 'none',
    ],
  ];
}

function classTexts(what: string, of: Readonly<Record<HourClass, string>>): [string, string][] {
  return HOUR_CLASSES.map((name) => [`${what}, ${name}`, of[name]]);
}
