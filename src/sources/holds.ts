import { instantText } from '../kit/instant.ts';
import { stored } from '../language/contract.ts';
import type { Decision, SourceEvent, SourceSettings } from './contract.ts';
import { hoursBeginAt } from './hours.ts';

/** Why a trigger does not page now. */
export type Hold =
  | { ignored: string }
  | {
      dueAt: Temporal.Instant;
      /** `rule`, `hours` or the id of a window. */
      reason: string;
      /** For the status of the request. */
      sentence: string;
    };

/** The hold of a maintenance window or silence. */
export type WindowHold = {
  id: string;
  name: string;
  kind: 'record' | 'hold';
  /** The start of the occurrence that is running. */
  since: Temporal.Instant;
  until: Temporal.Instant;
};

/**
 * Whether a trigger pages at `at` (null), or later, or never. Windows take precedence over hours, and hours over waits.
 * A held trigger is decided again when its time comes. @param mayWait false if its wait has ended, because nothing
 * waits twice for a rule
 */
export function holdOf(
  { event, settings, mayWait }: { event: SourceEvent; settings: SourceSettings; mayWait: boolean },
  { waitMinutes }: Pick<Decision, 'waitMinutes'>,
  window: WindowHold | null,
  at: Temporal.Instant,
): Hold | null {
  return (
    heldByWindow(window) ?? heldByHours(settings, at) ?? (mayWait ? waits(event, waitMinutes, at) : null)
  );
}

function heldByWindow(window: WindowHold | null): Hold | null {
  if (!window) return null;
  const until = instantText(window.until);
  if (window.kind === 'record')
    return {
      ignored: stored('The maintenance window {name} records it without paging until {until}.', {
        name: JSON.stringify(window.name),
        until,
      }),
    };
  const sentence = stored('The maintenance window {name} holds it until {until}.', {
    name: JSON.stringify(window.name),
    until,
  });
  return { dueAt: window.until, reason: window.id, sentence };
}

function heldByHours({ hours }: SourceSettings, at: Temporal.Instant): Hold | null {
  const dueAt = hours ? hoursBeginAt(hours, at) : null;
  if (!hours || !dueAt) return null;
  if (hours.outside === 'ignore')
    return { ignored: stored('It arrived outside the hours in which the source pages.') };
  return {
    dueAt,
    reason: 'hours',
    sentence: stored('It waits for the hours of the source, which begin at {time}.', {
      time: instantText(dueAt),
    }),
  };
}

function waits(event: SourceEvent, minutes: number, at: Temporal.Instant): Hold | null {
  const dueAt = event.occurredAt.add({ minutes });
  if (Temporal.Instant.compare(dueAt, at) <= 0) return null;
  return {
    dueAt,
    reason: 'rule',
    sentence:
      minutes === 1
        ? stored('It pages at {time}, if it is still open 1 minute after it began.', {
            time: instantText(dueAt),
          })
        : stored('It pages at {time}, if it is still open {minutes} minutes after it began.', {
            ...{ time: instantText(dueAt), minutes },
          }),
  };
}
