import type { Lag } from './store.ts';

/** A problem of the service itself that needs attention. */
export type Alarm = { code: string; message: string; effect: string; fix: string };

export type Vitals = {
  lag: Omit<Lag, 'requests'>;
  /** How long a synthetic page has been missing; 0 if all arrived, or if they are turned off. */
  syntheticSeconds: number;
  shortages: readonly Omit<Alarm, 'code'>[];
  /** The lifeboat with the oldest copy of the configuration, if that is older than a day. */
  oldLifeboat?: { host: string; hours: number } | null;
};

/** Only processes with LIFEBOAT=on watch for it. */
export const OLD_LIFEBOAT = 'old_lifeboat';

/** Every kind of alarm, so that its metric exists from the start. */
export const ALARM_CODES = [
  'late_steps',
  'late_notifications',
  'late_webhook_calls',
  'lost_synthetic_page',
  'little_room',
  OLD_LIFEBOAT,
];

const LOOK = 'check that a worker is running and see its log; `tocsin doctor` reports what it finds';

/** The alarms for work that is later than `limitSeconds`, and for shortages. */
export function alarmsOf(vitals: Vitals, limitSeconds: number): Alarm[] {
  const { lag, syntheticSeconds, shortages, oldLifeboat } = vitals;
  const late: [string, string, number][] = [
    ['late_steps', 'A step of a page is', lag.stepSeconds],
    ['late_notifications', 'A notification to a person is', lag.deliverySeconds],
    ['late_webhook_calls', 'A received webhook call is', lag.callSeconds],
    ['lost_synthetic_page', 'The page that the service sends itself is', syntheticSeconds],
  ];
  const alarms = late
    .filter(([, , seconds]) => seconds > limitSeconds)
    .map(([code, what, seconds]) => ({
      code,
      message: `${what} ${Math.round(seconds)} s late.`,
      effect: 'Pages may be late.',
      fix: LOOK,
    }));
  if (oldLifeboat)
    alarms.push({
      code: OLD_LIFEBOAT,
      message: `The lifeboat of ${oldLifeboat.host} has a copy of the configuration that is ${oldLifeboat.hours} hours old.`,
      effect: 'While the database is away, it would notify the people who were on call at that time.',
      fix: 'see the log of this node for why the configuration cannot be copied',
    });
  const [shortage] = shortages;
  return shortage ? [...alarms, { ...shortage, code: 'little_room' }] : alarms;
}
