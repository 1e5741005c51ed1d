import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { errorCode } from '../kit/error-text.ts';
import type { Log } from '../kit/log.ts';
import { tlsTrouble } from '../kit/tls-trouble.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';

/** A sign that this process works and has not just been left running. */
export type Pulse = {
  /** Since the engine last looked for due work and found the database answering; null before the first time. */
  lookedMsAgo: number | null;
  /** Since the database last took something that this node wrote; null before the first time. */
  writtenMsAgo: number | null;
};

/** The engine looks four times a second, and a sign of life is written every five seconds. */
const STALE_MS = 15_000;
const ANSWER_MS = 10_000;
const SUBJECT = 'service:heartbeat';

export function isAlive({ lookedMsAgo, writtenMsAgo }: Pulse): boolean {
  return [lookedMsAgo, writtenMsAgo].every((ago) => ago !== null && ago < STALE_MS);
}

/**
 * Calls the monitor that watches from outside, but only if this process really works; otherwise it stays silent, and the
 * monitor alarms. A monitor that cannot be reached is listed as a problem: nobody would notice a failure from then on.
 */
export async function beat(
  services: { db: Database; clock: Clock; log: Log },
  url: string,
  pulse: Pulse,
): Promise<'sent' | 'silent' | 'failed'> {
  const { db, clock, log } = services;
  if (!isAlive(pulse)) {
    log.warn(pulse, 'no heartbeat is sent: the engine or the database stands still');
    return 'silent';
  }
  const trouble = await call(url);
  if (trouble === null) {
    await closeProblems(db, clock, [SUBJECT]);
    return 'sent';
  }
  log.warn({ trouble }, 'the heartbeat could not be sent');
  await noteProblem(db, clock, {
    organizationId: null,
    subject: SUBJECT,
    code: 'heartbeat',
    message: `The heartbeat could not be sent: ${trouble}.`,
    fix: 'check HEARTBEAT_URL and that this machine reaches it; nobody would notice if the service ended now',
    count: 1,
  });
  return 'failed';
}

/** Null when it was taken; else why not, without the address, which may hold a secret. */
async function call(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    await response.body?.cancel();
    return response.ok ? null : `the other side answered ${response.status}`;
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return `no answer within ${ANSWER_MS / 1_000} s`;
    const trouble = tlsTrouble(error, 'the server at HEARTBEAT_URL');
    return trouble ?? (errorCode(error) || 'it cannot be reached');
  }
}
