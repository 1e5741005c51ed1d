import { stored } from '../language/contract.ts';
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

const LITTLE_ROOM = 'little_room';

/** Every kind of alarm, so that its metric exists from the start. */
export const ALARM_CODES = [
  'late_steps',
  'late_notifications',
  'late_webhook_calls',
  'lost_synthetic_page',
  LITTLE_ROOM,
  OLD_LIFEBOAT,
];
/** Alarms that one machine may raise while the others see no reason for it. */
export const ALARMS_OF_ONE_MACHINE = [LITTLE_ROOM];

const LOOK = stored('check that a worker is running and see its log; `tocsin doctor` reports what it finds');

/** The alarms for work that is later than `limitSeconds`, and for shortages. */
export function alarmsOf(vitals: Vitals, limitSeconds: number): Alarm[] {
  const { lag, syntheticSeconds, shortages, oldLifeboat } = vitals;
  const late: [string, (seconds: number) => string, number][] = [
    [
      'late_steps',
      (seconds) => stored('A step of a page is {seconds} s late.', { seconds }),
      lag.stepSeconds,
    ],
    [
      'late_notifications',
      (seconds) => stored('A notification to a person is {seconds} s late.', { seconds }),
      lag.deliverySeconds,
    ],
    [
      'late_webhook_calls',
      (seconds) => stored('A received webhook call is {seconds} s late.', { seconds }),
      lag.callSeconds,
    ],
    [
      'lost_synthetic_page',
      (seconds) => stored('The page that the service sends itself is {seconds} s late.', { seconds }),
      syntheticSeconds,
    ],
  ];
  const alarms = late
    .filter(([, , seconds]) => seconds > limitSeconds)
    .map(([code, messageOf, seconds]) => ({
      code,
      message: messageOf(Math.round(seconds)),
      effect: stored('Pages may be late.'),
      fix: LOOK,
    }));
  if (oldLifeboat)
    alarms.push({
      code: OLD_LIFEBOAT,
      message: stored('The lifeboat of {host} has a copy of the configuration that is {hours} hours old.', {
        host: oldLifeboat.host,
        hours: oldLifeboat.hours,
      }),
      effect: stored('While the database is away, it would notify the people who were on call at that time.'),
      fix: stored('see the log of this node for why the configuration cannot be copied'),
    });
  const [shortage] = shortages;
  return shortage ? [...alarms, { ...shortage, code: LITTLE_ROOM }] : alarms;
}
