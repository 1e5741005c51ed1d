import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';

export function unknownSchedule(): Fault {
  const message = t('is not a schedule of your organization; see /api/schedules');
  return new Fault('not_found', [{ field: 'schedule', message }]);
}
