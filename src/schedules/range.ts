import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { MAX_RANGE_DAYS } from './contract.ts';

export type Range = { from: Temporal.Instant; to: Temporal.Instant };

/** @throws Fault `bad_request` for the field `to` if it is not after `from`, or further away than one answer allows */
export function rangeBetween(from: Temporal.Instant, to: Temporal.Instant): Range {
  const hours = from.until(to).total('hours');
  if (hours <= 0) throw badEnd(t('is not after from; give a later time'));
  if (hours > MAX_RANGE_DAYS * 24)
    throw badEnd(t('is more than {most} days after from; give an earlier time', { most: MAX_RANGE_DAYS }));
  return { from, to };
}

function badEnd(message: string): Fault {
  return new Fault('bad_request', [{ field: 'to', message }]);
}
