import { instantText } from '../kit/instant.ts';
import { backText, backTitle, lateText, lateTitle } from '../pages/own-texts-contract.ts';
import type { SourceEvent } from './contract.ts';

/** All pages of one heartbeat have the same cause: it does not call. */
const DEDUP_KEY = 'heartbeat';

/** The word that a source's `urgencies` can give another urgency. */
const SEVERITY = 'critical';

type Heartbeat = {
  /** The name of the source. */
  name: string;
  intervalMinutes: number;
  lastCallAt: Temporal.Instant;
};

/** A heartbeat that had to call by `dueAt` and has not. */
export function lateEvent(
  { name, intervalMinutes, lastCallAt, dueAt }: Heartbeat & { dueAt: Temporal.Instant },
  at: Temporal.Instant,
): SourceEvent {
  return {
    ...common(name, at),
    action: 'trigger',
    title: lateTitle(name),
    text: lateText(instantText(lastCallAt), intervalMinutes),
    severity: SEVERITY,
    occurredAt: dueAt,
  };
}

/** A heartbeat that was late and has called at `lastCallAt`. */
export function backEvent({ name, lastCallAt }: Heartbeat, at: Temporal.Instant): SourceEvent {
  return {
    ...common(name, at),
    action: 'resolve',
    title: backTitle(name),
    text: backText(instantText(lastCallAt)),
    severity: null,
    occurredAt: lastCallAt,
  };
}

function common(name: string, at: Temporal.Instant) {
  return { dedupKey: DEDUP_KEY, sourceUrl: null, urgency: null, labels: [], source: name, by: null, at };
}
