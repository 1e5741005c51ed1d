import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { MAX_RANGE_DAYS } from '../schedules/contract.ts';

export type Period = { from: Temporal.Instant; to: Temporal.Instant };

const USUAL = { hours: 28 * 24 };

/** The last four weeks where nothing else is asked for. */
export function periodOf(query: { from?: string; to?: string }, now: Temporal.Instant): Period {
  const to = (query.to === undefined ? null : parseInstant(query.to)) ?? now;
  const from = (query.from === undefined ? null : parseInstant(query.from)) ?? to.subtract(USUAL);
  const hours = from.until(to).total('hours');
  if (hours <= 0) throw badEnd('is not after from; give a later time');
  if (hours > MAX_RANGE_DAYS * 24)
    throw badEnd(`is more than ${MAX_RANGE_DAYS} days after from; give an earlier time`);
  return { from, to };
}

function badEnd(message: string): Fault {
  return new Fault('bad_request', [{ field: 'to', message }]);
}
