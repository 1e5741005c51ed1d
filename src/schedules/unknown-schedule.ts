import { Fault } from '../kit/fault.ts';

export function unknownSchedule(): Fault {
  const message = 'is not a schedule of your organization; see /api/schedules';
  return new Fault('not_found', [{ field: 'schedule', message }]);
}
