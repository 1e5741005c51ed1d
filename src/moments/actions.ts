import type { Tx } from '../db/database.ts';
import { together } from '../db/together.ts';
import { newId } from '../kit/typeid.ts';
import { queueTurned } from './program-events.ts';
import { type EventBatch, planRecording, type RecordingResult } from './recording.ts';
import { insertMoments, knownEnds, knownMoments, linkMoments, rememberEnds, updateMoments } from './store.ts';

/**
 * Records the events of calls, in the order of their receipt. The caller has locked their keys (`lockFollowUps`), so
 * that other transactions with events of these keys wait until this one ends, and one key never has two open moments.
 */
export async function recordEvents(
  tx: Tx,
  at: Temporal.Instant,
  batches: readonly EventBatch[],
): Promise<RecordingResult[]> {
  const names = batches.flatMap(({ webhookId, events }) =>
    events.flatMap(({ dedupKey }) => (dedupKey === null ? [] : [{ webhookId, dedupKey }])),
  );
  const [known, ended] =
    names.length > 0
      ? await together(tx, [(side) => knownMoments(side, names), (side) => knownEnds(side, names)])
      : [new Map(), new Map()];
  const states = new Map([...known.values()].map(({ id, state }) => [id, state]));
  const { created, changed, ends, results } = planRecording(batches, known, () => newId('moment'), ended);
  await together(tx, [
    // First, because a new moment may have the key of one that ends here, and no key may have two open moments.
    (side) => updateMoments(side, at, changed),
    (side) => insertMoments(side, at, created),
    (side) => rememberEnds(side, at, ends),
  ]);
  await linkMoments(tx, results);
  await queueTurned(tx, at, [...created, ...changed], states);
  return results;
}
