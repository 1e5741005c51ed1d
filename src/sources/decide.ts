import { stored } from '../language/contract.ts';
import {
  type Decision,
  effectText,
  type SourceEvent,
  type SourceRule,
  type SourceSettings,
  type SourceUrgency,
} from './contract.ts';
import { allHold, factsOf } from './matcher.ts';
import { urgencyOf } from './urgencies.ts';

const LONGEST_REASON = 300;

const NOTIFIES_NOBODY = stored('Its sender marked it as notifying nobody, so it is only recorded.');

/**
 * Whether an event raises a page if none of its key is open or waits, and no person has resolved the last one: a trigger
 * (which raises one even then), or an acknowledgement that was taken back, because the problem then continues and nobody
 * takes care of it.
 */
export function mayRaise({ action, bare }: Pick<SourceEvent, 'action' | 'bare'>): boolean {
  return action === 'trigger' || (action === 'unacknowledge' && bare !== true);
}

/** The decision of a source's settings about a trigger. The first matching rule decides. */
export function decide(event: SourceEvent, settings: Readonly<SourceSettings>, type: string): Decision {
  const own = urgencyOf(event, settings.urgencies, type);
  const facts = factsOf(event);
  const rules = settings.rules ?? [];
  const index = rules.findIndex(({ match }) => allHold(match, facts));
  const rule = rules[index];
  const then = rule?.then ?? {};
  const urgency = then.urgency ?? own.urgency;
  return {
    urgency,
    rule: rule ? { number: index + 1, text: ruleReason(rule, index) } : null,
    ignored: event.pages === false ? NOTIFIES_NOBODY : ignored(rule, index, urgency, own.reason),
    team: then.team ?? null,
    person: then.person ?? null,
    stage: then.stage ?? null,
    waitMinutes: then.wait_minutes ?? settings.wait_minutes ?? 0,
    reasons: [
      ...(then.urgency === undefined && !then.ignore ? [own.reason] : []),
      ...(rule ? [ruleReason(rule, index)] : []),
    ],
  };
}

/** `rule 2: severity=critical and team=sre → high, stage 2`. */
function ruleReason({ match, then }: SourceRule, index: number): string {
  return stored('rule {number}: {match} → {effect}', {
    number: index + 1,
    match: shortened(match.join(' and ')),
    effect: effectText(then),
  });
}

function ignored(
  rule: SourceRule | undefined,
  index: number,
  urgency: SourceUrgency,
  reason: string,
): string | null {
  if (rule?.then.ignore)
    return stored('Rule {number} of the source ({match}) ignores it.', {
      number: index + 1,
      match: matchText(rule),
    });
  if (urgency !== 'none') return null;
  return rule?.then.urgency === 'none'
    ? stored('Rule {number} of the source ({match}) gives it the urgency none, which pages nobody.', {
        number: index + 1,
        match: matchText(rule),
      })
    : stored('The urgencies of the source page nobody for it ({reason}).', { reason });
}

function matchText({ match }: SourceRule): string {
  return shortened(match.join(' and '));
}

function shortened(text: string): string {
  return text.length <= LONGEST_REASON ? text : `${text.slice(0, LONGEST_REASON - 1).toWellFormed()}…`;
}
