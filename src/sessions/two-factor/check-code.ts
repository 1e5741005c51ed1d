import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { lockSecret, noteStep, takeRecoveryCode } from '../sign-in-store.ts';
import { recoveryHash, stepOfCode } from './one-time-codes.ts';

/** Whether this is a valid code from a person's app or one of their recovery codes. A valid code works once. */
export async function checkCode(
  { db, clock, sealing }: { db: Database; clock: Clock; sealing: Sealing },
  userId: string,
  code: string,
): Promise<'app' | 'recovery' | null> {
  const recovery = recoveryHash(userId, code);
  if (recovery) return (await takeRecoveryCode(db, clock, userId, recovery)) ? 'recovery' : null;
  return db.transaction().execute(async (tx) => {
    const known = await lockSecret(tx, userId);
    if (!known) return null;
    const plain = code.replace(/\s/g, '');
    const step = await stepOfCode(sealing.open(known.secret), plain, await clock.now(tx), known.lastStep);
    if (step === null) return null;
    await noteStep(tx, userId, step);
    return 'app';
  });
}
