import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { errorCode } from '../kit/error-text.ts';
import type { Log } from '../kit/log.ts';
import { tlsTrouble } from '../kit/tls-trouble.ts';
import { stored } from '../language/contract.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';

/** Shows that this process makes progress. */
export type Pulse = {
  /** Milliseconds since the engine last looked for due work successfully; null before the first time. */
  lookedMsAgo: number | null;
  /** Milliseconds since the database last accepted a write of this node; null before the first time. */
  writtenMsAgo: number | null;
};

/** The engine looks for work four times a second and writes a sign of life every five seconds. */
const STALE_MS = 15_000;
const ANSWER_MS = 10_000;
const SUBJECT = 'service:heartbeat';

export function isAlive({ lookedMsAgo, writtenMsAgo }: Pulse): boolean {
  return [lookedMsAgo, writtenMsAgo].every((ago) => ago !== null && ago < STALE_MS);
}

/**
 * Calls the external monitor while this process makes progress. Otherwise it does not, and the monitor raises its alarm. An
 * unreachable monitor is listed as a problem, because it would not notice a failure.
 */
export async function beat(
  services: { db: Database; clock: Clock; log: Log },
  url: string,
  pulse: Pulse,
): Promise<'sent' | 'silent' | 'failed'> {
  const { db, clock, log } = services;
  if (!isAlive(pulse)) {
    log.warn(pulse, 'no heartbeat was sent, because the engine or the database makes no progress');
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
    message: stored('The heartbeat could not be sent: {trouble}.', { trouble }),
    fix: stored(
      'check HEARTBEAT_URL and that this machine can reach it; until then, no monitor would notice if the service stopped',
    ),
    count: 1,
  });
  return 'failed';
}

/** Null on success, otherwise the reason without the address, which may contain a secret. */
async function call(url: string): Promise<string | null> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) });
    await response.body?.cancel();
    return response.ok ? null : stored('the server answered {status}', { status: response.status });
  } catch (error) {
    if ((error as Error).name === 'TimeoutError')
      return stored('no answer within {seconds} s', { seconds: ANSWER_MS / 1_000 });
    const trouble = tlsTrouble(error, stored('the server at HEARTBEAT_URL'));
    return trouble ?? (errorCode(error) || stored('it cannot be reached'));
  }
}
