import type { SourceRule, SourceUrgency } from '../../../src/sources/contract.ts';

/** What a rule does with an event: decides about its page, or pages nobody. */
export type RuleEffect = 'page' | 'ignore';
/** Whom a rule pages. */
export type RuleRecipient = 'source' | 'team' | 'person';

/** The values of the form of one rule. `key` identifies the rule while it moves. */
export type RuleValues = {
  key: number;
  matchers: string[];
  effect: RuleEffect;
  /** Empty: by the severity, as without the rule. */
  urgency: SourceUrgency | '';
  to: RuleRecipient;
  /** A slug. */
  team: string;
  /** An email address. */
  person: string;
  /** Empty: the first stage. */
  stage: number | string;
  /** Minutes; empty: as the settings of the source say. */
  wait: number | string;
};

/** Rules that are not saved, and the saved ones from which they were made, as `rulesText` gives them. */
export type RulesDraft = { rules: RuleValues[]; madeFrom: string };

export function newRule(rules: readonly RuleValues[]): RuleValues {
  const key = Math.max(-1, ...rules.map((one) => one.key)) + 1;
  return {
    ...{ key, matchers: [''], effect: 'page', urgency: 'high', to: 'source' },
    ...{ team: '', person: '', stage: '', wait: '' },
  };
}

export function ruleValues(rules: readonly SourceRule[]): RuleValues[] {
  return rules.map(({ match, then }, key) => ({
    key,
    matchers: [...match],
    effect: then.ignore || then.urgency === 'none' ? 'ignore' : 'page',
    urgency: then.urgency ?? '',
    to: then.person === undefined ? (then.team === undefined ? 'source' : 'team') : 'person',
    team: then.team ?? '',
    person: then.person ?? '',
    stage: then.stage ?? '',
    wait: then.wait_minutes ?? '',
  }));
}

/** The rules as the service knows them, without blank matchers. */
export function rulesOf(values: readonly RuleValues[]): SourceRule[] {
  return values.map((one) => ({
    match: one.matchers.map((text) => text.trim()).filter((text) => text !== ''),
    // biome-ignore lint/suspicious/noThenProperty: the API names it so, and it is never a function.
    then: effectOf(one),
  }));
}

function effectOf({ effect, urgency, to, team, person, stage, wait }: RuleValues): SourceRule['then'] {
  if (effect === 'ignore') return urgency === 'none' ? { urgency } : { ignore: true };
  return {
    ...(urgency === '' ? {} : { urgency }),
    ...(to === 'team' ? { team } : {}),
    ...(to === 'person' ? { person } : {}),
    ...(to === 'person' || stage === '' ? {} : { stage: Number(stage) }),
    ...(wait === '' ? {} : { wait_minutes: Number(wait) }),
  };
}

/** Two lists of rules with the same text do the same. */
export function rulesText(values: readonly RuleValues[]): string {
  return JSON.stringify(rulesOf(values));
}

/** Moves one rule up (-1) or down (1); at an end it stays. */
export function moved(rules: readonly RuleValues[], index: number, by: -1 | 1): RuleValues[] {
  const [one, other] = [rules[index], rules[index + by]];
  if (!one || !other) return [...rules];
  return rules.with(index, other).with(index + by, one);
}

/** The rules before the first one that is still being written. */
export function completeRules(rules: readonly RuleValues[]): RuleValues[] {
  const end = rules.findIndex((one) => !isComplete(one));
  return end === -1 ? [...rules] : rules.slice(0, end);
}

function isComplete({ matchers, effect, to, team, person }: RuleValues): boolean {
  if (matchers.every((text) => text.trim() === '')) return false;
  return effect === 'ignore' || to === 'source' || (to === 'team' ? team !== '' : person !== '');
}
