import type { WatchSettings } from '../config/watching.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import type { Writes } from '../db/writes.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import type { Raiser } from '../pages/raise.ts';
import type { Duty } from './duties.ts';
import type { Engine } from './engine.ts';
import { beat } from './heartbeat.ts';
import type { Room } from './room.ts';
import { createSyntheticPages } from './synthetic/pages.ts';
import { createWatch } from './watch.ts';

const SECOND = 1_000;

export type LookoutServices = {
  /** The pool that requests use; the synthetic page uses it too. */
  db: Database;
  engineDb: Database;
  writes: Writes;
  clock: Clock;
  log: Log;
  sealing: Sealing;
  engine: Engine;
  raiser: Raiser;
  settings: WatchSettings & { lifeboat: object | null };
  room: Room;
  /** Whether this process runs steps and sends notifications. */
  works: boolean;
  node(): number;
  /** True while a lifeboat does the work on pages. */
  holdsBack(): boolean;
  metrics: {
    alarm: { set(labels: { alarm: string }, value: number): void };
    syntheticSeconds: { set(value: number): void };
    heartbeats: { inc(labels: { outcome: string }): void };
  };
};

/**
 * Watches the service in every role, so that API processes notice workers that hang. Only workers send the heartbeat and the
 * synthetic page.
 */
export function createLookout(services: LookoutServices): Duty[] {
  const { engineDb: db, clock, log, engine, settings, metrics, node } = services;
  const synthetic = settings.syntheticPages
    ? createSyntheticPages({ ...services, onArrival: (seconds) => metrics.syntheticSeconds.set(seconds) })
    : null;
  const watch = createWatch({
    db,
    clock,
    log,
    node,
    synthetic,
    alarmSeconds: settings.alarmSeconds,
    room: services.room,
    holdsBack: services.holdsBack,
    hasLifeboats: settings.lifeboat !== null,
    writes: services.writes,
    onAlarm: (alarm, on) => metrics.alarm.set({ alarm }, on ? 1 : 0),
  });
  const pulse = () => ({ lookedMsAgo: engine.lookedMsAgo(), writtenMsAgo: watch.writtenMsAgo() });
  const sendHeartbeat = async (url: string) => {
    metrics.heartbeats.inc({ outcome: await beat({ db, clock, log }, url, pulse()) });
  };
  const once = (run: () => Promise<void>) => () => run().then(() => false);
  const { heartbeat } = settings;
  return [
    { name: 'look for what is late', everyMs: 5 * SECOND, run: once(() => watch.look()) },
    ...(services.works && synthetic
      ? [{ name: 'send a synthetic page', everyMs: 5 * SECOND, run: once(() => synthetic.next()) }]
      : []),
    ...(services.works && heartbeat
      ? [
          {
            name: 'send a heartbeat',
            everyMs: heartbeat.seconds * SECOND,
            run: once(() => sendHeartbeat(heartbeat.url)),
          },
        ]
      : []),
  ];
}
