import type { MomentEvent } from './event.ts';
import { followUp } from './follow-up.ts';
import { followed, type Moment, newMoment, type Origin } from './moment.ts';

/** The events of one received notification. */
export type EventBatch = Origin & { notificationId: string; events: MomentEvent[] };

/** How it ended for one notification. */
export type RecordingResult = {
  notificationId: string;
  organizationId: string;
  created: number;
  changed: number;
  /** Why events changed nothing. */
  reasons: string[];
  /** The moments that it is about, each once, in the order of its events. */
  momentIds: string[];
};

export type Recording = { created: Moment[]; changed: Moment[]; results: RecordingResult[] };

/** Names what follow-ups share: a dedup key says something within its webhook only. */
export function followUpKey(webhookId: string, dedupKey: string): string {
  return `${webhookId} ${dedupKey}`;
}

/**
 * Works out what a run of notifications, in the order of their receipt, makes of the moments that are known. `known`
 * holds the open moment of each key, or the newest where none is open; it is left as it is.
 */
export function planRecording(
  batches: readonly EventBatch[],
  known: ReadonlyMap<string, Moment>,
  newMomentId: () => string,
): Recording {
  const latest = new Map(known);
  const created = new Map<string, Moment>();
  const changed = new Map<string, Moment>();

  function keep(moment: Moment, isNew: boolean): string {
    (isNew || created.has(moment.id) ? created : changed).set(moment.id, moment);
    if (moment.dedupKey !== null) latest.set(followUpKey(moment.webhookId, moment.dedupKey), moment);
    return moment.id;
  }

  /** Returns the id of the moment that the event is about. */
  function record(batch: EventBatch, event: MomentEvent, result: RecordingResult): string | null {
    const key = event.dedupKey === null ? null : followUpKey(batch.webhookId, event.dedupKey);
    const moment = (key !== null && latest.get(key)) || null;
    const next = followUp(moment, event);
    if (next.change === 'none') {
      result.reasons.push(next.reason);
      return moment?.id ?? null;
    }
    if (next.change === 'create' || !moment) {
      result.created++;
      return keep(newMoment(newMomentId(), batch, event), true);
    }
    result.changed++;
    return keep(followed(moment, event, next.change), false);
  }

  const results = batches.map((batch) => {
    const result: RecordingResult = {
      notificationId: batch.notificationId,
      organizationId: batch.organizationId,
      ...{ created: 0, changed: 0, reasons: [], momentIds: [] },
    };
    const ids = batch.events.map((event) => record(batch, event, result));
    result.momentIds = [...new Set(ids.filter((id) => id !== null))];
    return result;
  });
  return { created: [...created.values()], changed: [...changed.values()], results };
}
