import { stored } from '../language/contract.ts';
import type { Priority } from '../moments/contract.ts';
import { priorityOfSeverity } from '../moments/integrations/severity.ts';
import type { SourceEvent, SourceSettings, SourceUrgency } from './contract.ts';

/**
 * Words that mean less for a page than for a moment: a warning is a moment of medium priority, but nobody is woken up
 * for it.
 */
const LESS_URGENT: ReadonlySet<string> = new Set(['warning', 'warn']);

/** PagerDuty uses high urgency for everything that does not name one. */
const HIGH_UNLESS_NAMED: ReadonlySet<string> = new Set(['pagerduty-events', 'pagerduty']);

/** Azure counts its severities from 0, so its Sev2 is a warning. Elsewhere, SEV2 is the second worst. */
const OWN_SCALE: ReadonlySet<string> = new Set(['azure-monitor']);

/** The sender's information about the severity of a trigger. */
type Said = Pick<SourceEvent, 'urgency' | 'severity' | 'priority'>;

/**
 * The urgency of an event before any rule, and the reason: an urgency in the body, the source's own `urgencies`, or the
 * default for the sender's word.
 */
export function urgencyOf(
  said: Said,
  urgencies: SourceSettings['urgencies'],
  type: string,
): { urgency: SourceUrgency; reason: string } {
  if (said.urgency)
    return {
      urgency: said.urgency,
      reason: stored('urgency {urgency}, named by the sender', { urgency: said.urgency }),
    };
  const word = shortWord(said.severity);
  const urgency = ownUrgency(word, urgencies) ?? defaultUrgency(said, type);
  return {
    urgency,
    reason:
      word === null
        ? stored('no severity → {urgency}', { urgency })
        : stored('severity {word} → {urgency}', { word, urgency }),
  };
}

function shortWord(word: string | null): string | null {
  return word?.trim().slice(0, 100) || null;
}

function ownUrgency(word: string | null, urgencies: SourceSettings['urgencies']): SourceUrgency | null {
  const wanted = word?.toLowerCase();
  if (wanted === undefined) return null;
  const own = Object.entries(urgencies ?? {}).find(([name]) => name.trim().toLowerCase() === wanted);
  return own ? own[1] : null;
}

/**
 * Critical, error, P1 and P2 are high, P3 is medium, warning, info, P4 and P5 are low. A word that no table has gets
 * the priority that the type's adapter read, and otherwise medium.
 */
function defaultUrgency({ severity, priority }: Said, type: string): Priority {
  if (LESS_URGENT.has(severity?.trim().toLowerCase() ?? '')) return 'low';
  const known = OWN_SCALE.has(type) ? null : priorityOfSeverity(severity);
  if (known) return known;
  return HIGH_UNLESS_NAMED.has(type) ? 'high' : (priority ?? 'medium');
}
