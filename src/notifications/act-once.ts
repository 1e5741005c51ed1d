import type { Tx } from '../db/database.ts';
import { sha256 } from '../kit/sealing.ts';
import type { ActionServices } from '../pages/actions.ts';
import { claimInboundAnswer, keepInboundReply } from './answer-store.ts';

/**
 * Applies an external answer at most once, because providers, proxies and browsers repeat requests, and an attacker may
 * replay a recorded one. The id is stored in the same transaction, and a repeat gets the first reply. @param id
 * identifies the answer, as its provider does: the SID of a message, the timestamp of a click
 */
export async function actOnce<Reply extends object, Services extends ActionServices = ActionServices>(
  services: Services,
  id: string,
  act: (inside: Services, tx: Tx, at: Temporal.Instant) => Promise<Reply>,
): Promise<Reply> {
  const { db, clock } = services;
  const hash = sha256(id);
  const afterCommit: (() => void)[] = [];
  const reply = await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const before = await claimInboundAnswer(tx, at, hash);
    if (before) return before.reply as Reply;
    const inside = { tx, afterCommit: (work: () => void) => void afterCommit.push(work) };
    const first = await act({ ...services, inside }, tx, at);
    await keepInboundReply(tx, hash, first);
    return first;
  });
  for (const work of afterCommit) work();
  return reply;
}
