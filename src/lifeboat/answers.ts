import type { Tx } from '../db/database.ts';
import { type applySignals, isAnsweredBefore, type PageSignal } from '../pages/keyed.ts';
import { keyName, lockKeys, openPages, type PageKey } from '../pages/keyed-store.ts';
import type { PageRow } from '../pages/store.ts';
import { answerRow, endWaiting, findAnswers, type LifeboatAnswer, storeAnswers } from './aboard-store.ts';

/** Applies signals to pages of the main database, at the time of the transaction. Call `afterCommit` after the commit. */
export type ApplySignals = (tx: Tx, signals: readonly PageSignal[]) => ReturnType<typeof applySignals>;

/** Stores answers in the database of a lifeboat, for pages that only other databases know. */
export function noteAnswers(tx: Tx, answers: readonly PageSignal[]): Promise<void> {
  return storeAnswers(tx, answers.map(answerRow));
}

/**
 * Applies answers that lifeboats received by dedup key to open pages of the main database that these lifeboats may not
 * have known. An answer is for triggers before it: a page with a newer trigger does not change, unless somebody
 * acknowledged it before the answer; then its newest trigger raises another page. Applying an answer again changes
 * nothing. Call the result after the commit.
 */
export async function applyAnswers(
  tx: Tx,
  keys: readonly PageKey[],
  apply: ApplySignals,
): Promise<() => void> {
  if (keys.length === 0) return () => undefined;
  await lockKeys(tx, keys);
  const answers = await findAnswers(tx, keys);
  if (answers.length === 0) return () => undefined;
  const open = await openPages(tx, keys);
  const signals = answers.filter((answer) => changes(answer, open.get(keyName(answer) ?? ''))).map(signalOf);
  await endWaiting(tx, answers);
  if (signals.length === 0) return () => undefined;
  return (await apply(tx, signals)).afterCommit;
}

/** Without an effect on an open page, it would only add a line to its timeline. */
function changes({ action, receivedAt }: LifeboatAnswer, page: PageRow | undefined): boolean {
  if (!page) return false;
  const newest = page.lastTriggerAt ?? page.createdAt;
  if (Temporal.Instant.compare(receivedAt, newest) < 0)
    return action === 'resolve' && isAnsweredBefore(page, receivedAt);
  if (action === 'resolve') return true;
  return page.state === (action === 'acknowledge' ? 'notifying' : 'acknowledged');
}

function signalOf({ organizationId, scope, dedupKey, ...answer }: LifeboatAnswer): PageSignal {
  return { organizationId, scope, dedupKey, ...answer, lineOnly: false };
}
