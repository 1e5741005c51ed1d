import type { MomentEvent } from './event.ts';
import { followUp, type KnownMoment } from './follow-up.ts';
import { followed, type Moment, newMoment, type Origin } from './moment.ts';
import { mergedParts, type Parts } from './parts.ts';

/** The events of one received call. */
export type EventBatch = Origin & { callId: string; events: MomentEvent[] };

/** The result for one call. */
export type RecordingResult = {
  callId: string;
  organizationId: string;
  created: number;
  changed: number;
  /** Why events changed nothing. */
  reasons: string[];
  /** The moments of its events, each once, in the order of the events. */
  momentIds: string[];
};

/** An end without an open moment, and the sender's parts of a group. */
export type EndOfNone = { endedAt: Temporal.Instant; parts: Parts | null };

/** `ends`: the ends without an open moment. */
export type Recording = {
  created: Moment[];
  changed: Moment[];
  ends: (EndOfNone & { webhookId: string; dedupKey: string })[];
  results: RecordingResult[];
};

/** The name that follow-up events share. Dedup keys are unique only within their webhook. */
export function followUpKey(webhookId: string, dedupKey: string): string {
  return `${webhookId} ${dedupKey}`;
}

/**
 * Computes how a run of calls, in the order of their receipt, changes the known moments. `known` holds the open moment of
 * each key, or the newest if none is open. `knownEnds` holds ends without an open moment. Neither map is changed.
 */
export function planRecording(
  batches: readonly EventBatch[],
  known: ReadonlyMap<string, Moment>,
  newMomentId: () => string,
  knownEnds: ReadonlyMap<string, EndOfNone> = new Map(),
): Recording {
  const latest = new Map(known);
  const created = new Map<string, Moment>();
  const changed = new Map<string, Moment>();
  const ended = new Map(knownEnds);
  const ends = new Map<string, Recording['ends'][number]>();

  /** Stores an end without an open moment, so that an event from before that end opens none. */
  function noteEnd(webhookId: string, { dedupKey, at, parts = null }: MomentEvent): void {
    if (dedupKey === null) return;
    const key = followUpKey(webhookId, dedupKey);
    const before = ended.get(key);
    const end = {
      endedAt: later(before?.endedAt, at),
      parts: before ? mergedParts(before.parts, parts) : parts,
    };
    ended.set(key, end);
    ends.set(key, { webhookId, dedupKey, ...end });
  }

  function keep(moment: Moment, isNew: boolean): string {
    (isNew || created.has(moment.id) ? created : changed).set(moment.id, moment);
    if (moment.dedupKey !== null) latest.set(followUpKey(moment.webhookId, moment.dedupKey), moment);
    return moment.id;
  }

  /** An event that is too old to change a moment may still name parts, by which a later repetition is recognized. */
  function noteParts(moment: Moment, event: MomentEvent): void {
    const parts = mergedParts(moment.parts, event.parts ?? null);
    if (parts !== moment.parts) keep({ ...moment, parts }, false);
  }

  /** Returns the id of the event's moment. */
  function record(batch: EventBatch, event: MomentEvent, result: RecordingResult): string | null {
    const key = event.dedupKey === null ? null : followUpKey(batch.webhookId, event.dedupKey);
    const moment = (key !== null && latest.get(key)) || null;
    const before = withEnd(moment, key === null ? undefined : ended.get(key));
    const next = followUp(before, event);
    if (next.change === 'none') {
      if (event.action === 'resolve' && (!moment || moment.state === 'resolved'))
        noteEnd(batch.webhookId, event);
      else if (moment && moment.state !== 'resolved') noteParts(moment, event);
      result.reasons.push(next.reason);
      return moment?.id ?? null;
    }
    if (next.change === 'create' || !moment) {
      result.created++;
      return keep(newMoment(newMomentId(), batch, event, before), true);
    }
    result.changed++;
    return keep(followed(moment, event, next.change), false);
  }

  const results = batches.map((batch) => {
    const result: RecordingResult = {
      callId: batch.callId,
      organizationId: batch.organizationId,
      ...{ created: 0, changed: 0, reasons: [], momentIds: [] },
    };
    const ids = batch.events.map((event) => record(batch, event, result));
    result.momentIds = [...new Set(ids.filter((id) => id !== null))];
    return result;
  });
  return {
    ...{ created: [...created.values()], changed: [...changed.values()] },
    ...{ ends: [...ends.values()], results },
  };
}

/**
 * The known state of a key: its moment, or a stored end if the moment has ended and that end is later. Includes the
 * parts of a group in such ends.
 */
function withEnd(moment: Moment | null, end: EndOfNone | undefined): KnownMoment | null {
  if (!end || (moment && moment.state !== 'resolved')) return moment;
  const { endedAt } = end;
  const parts = moment ? mergedParts(moment.parts, end.parts) : end.parts;
  if (moment && Temporal.Instant.compare(endedAt, moment.lastEventAt) <= 0)
    return { ...moment, parts: parts ?? moment.parts };
  const priority = moment?.priority ?? 'medium';
  return { state: 'resolved', lastEventAt: endedAt, priority, acknowledgedBy: null, parts };
}

function later(a: Temporal.Instant | undefined, b: Temporal.Instant): Temporal.Instant {
  return a && Temporal.Instant.compare(a, b) > 0 ? a : b;
}
