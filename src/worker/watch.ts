import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Writes } from '../db/writes.ts';
import type { Log } from '../kit/log.ts';
import { t } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';
import { queueNotices } from '../notices/store.ts';
import { ownersEverywhere } from '../people/access-store.ts';
import { ALARM_CODES, ALARMS_OF_ONE_MACHINE, type Alarm, alarmsOf, OLD_LIFEBOAT } from './alarms.ts';
import type { Room } from './room.ts';
import { closeAlarms, findOldLifeboat, noteAlarm, readLag, signOfLife } from './store.ts';
import type { SyntheticPages } from './synthetic/pages.ts';

export type WatchServices = {
  db: Database;
  writes: Writes;
  clock: Clock;
  log: Log;
  node(): number;
  alarmSeconds: number;
  synthetic: SyntheticPages | null;
  room: Room;
  /** True while a lifeboat does this work: what is late here is not late. */
  holdsBack(): boolean;
  /** Whether there may be lifeboats, whose copies are watched. */
  hasLifeboats: boolean;
  /** Called with every kind of alarm and whether it is on. */
  onAlarm(code: string, on: boolean): void;
};

/** Watches the service itself. Every node runs it, so that the others notice a node that hangs. */
export type Watch = {
  /** Writes a sign of life, opens problems for late work, and sends the owners a notice for each new problem. */
  look(): Promise<void>;
  /** Milliseconds since the last sign of life was written; null before the first. */
  writtenMsAgo(): number | null;
};

/** How long the engine gets for the work that it held back. */
const CATCH_UP_MS = 10_000;

export function createWatch(services: WatchServices): Watch {
  const { db, clock, log, alarmSeconds, synthetic, room, onAlarm } = services;
  let writtenAt: number | null = null;
  let heldAt = Number.NEGATIVE_INFINITY;
  let ringing = new Set<string>();

  async function raise(alarm: Alarm): Promise<void> {
    if (!ringing.has(alarm.code)) log.error({ alarm: alarm.code, fix: alarm.fix }, alarm.message);
    await db.transaction().execute(async (tx) => {
      const at = await clock.now(tx);
      const since = await noteAlarm(tx, clock, alarm);
      const owners = await ownersEverywhere(tx);
      await queueNotices(tx, at, () =>
        owners.map((owner) => ({
          ...owner,
          kind: 'service.alarm',
          subject: t('Tocsin itself: {message}', { message: storedText(alarm.message) }),
          text: t('{message} {effect} What to do: {fix}.', {
            message: storedText(alarm.message),
            effect: storedText(alarm.effect),
            fix: storedText(alarm.fix),
          }),
          path: '/problems',
          dedupKey: `service.alarm ${alarm.code} ${since.toString()}`,
        })),
      );
    });
  }

  return {
    async look() {
      await services.writes.follow(() => signOfLife(db, clock, services.node()));
      writtenAt = performance.now();
      if (services.holdsBack()) heldAt = performance.now();
      if (performance.now() - heldAt < CATCH_UP_MS) return;
      const lag = await readLag(db, clock);
      await room.look();
      const syntheticSeconds = (await synthetic?.lateness()) ?? 0;
      const oldLifeboat = services.hasLifeboats ? await findOldLifeboat(db) : null;
      const vitals = { lag, syntheticSeconds, shortages: room.shortages(), oldLifeboat };
      const alarms = alarmsOf(vitals, alarmSeconds);
      for (const alarm of alarms) await raise(alarm);
      ringing = new Set(alarms.map(({ code }) => code));
      for (const code of ALARM_CODES) onAlarm(code, ringing.has(code));
      await closeAlarms(
        db,
        clock,
        ALARM_CODES.filter((code) => !ringing.has(code) && (services.hasLifeboats || code !== OLD_LIFEBOAT)),
        ALARMS_OF_ONE_MACHINE,
      );
    },
    writtenMsAgo: () => (writtenAt === null ? null : performance.now() - writtenAt),
  };
}
