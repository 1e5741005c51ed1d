import { t } from '../language/contract.ts';
import { CHANNEL, channelsOf } from '../notifications/channels/contract.ts';
import type { ChannelName, Rule, Urgency } from './contract.ts';
import { type Means, type MethodFacts, notSetUp, obstacle } from './reachability.ts';

export type RuleWarning = { rule: number | null; message: string };

const LATE_MS = 5 * 60_000;

/**
 * Warnings about a person's rules for one urgency: rules that reach nothing at present, and whether anything is sent
 * soon. `rules` are ordered by time.
 */
export function ruleWarnings(
  urgency: Urgency,
  rules: readonly Rule[],
  methods: readonly MethodFacts[],
  means: Means,
): RuleWarning[] {
  const reaching = rules.filter((rule) => rule.channels.some((channel) => reaches(channel, methods, means)));
  if (reaching.length === 0) return [{ rule: null, message: nothingReaches(methods, means) }];
  const deaf = rules.flatMap((rule, index) =>
    reaching.includes(rule) ? [] : [{ rule: index, message: deafSentence(rule.channels, methods, means) }],
  );
  const first = Math.min(...reaching.map(({ afterMs }) => afterMs));
  if (urgency !== 'high' || first <= LATE_MS) return deaf;
  const late = t(
    'The first notification that can reach you is sent after {minutes} minutes. By then, the page may have escalated to somebody else.',
    { minutes: Math.round(first / 60_000) },
  );
  return [...deaf, { rule: null, message: late }];
}

function reaches(channel: ChannelName, methods: readonly MethodFacts[], means: Means): boolean {
  // The open dashboard shows every page anyway. A rule with nothing else reaches nobody who is asleep.
  return (
    serving(channel, methods).some((method) => obstacle(method, means) === null) &&
    !means.unavailable.has(channel)
  );
}

function serving(channel: ChannelName, methods: readonly MethodFacts[]): MethodFacts[] {
  return methods.filter(({ type }) => channelsOf(type).includes(channel));
}

function nothingReaches(methods: readonly MethodFacts[], means: Means): string {
  if (methods.some((method) => obstacle(method, means) === null))
    return t('None of these rules reaches you, so all of your verified contact methods are used at once.');
  return t('Pages reach you only in an open dashboard; add a contact method and verify it.');
}

function deafSentence(
  channels: readonly ChannelName[],
  methods: readonly MethodFacts[],
  means: Means,
): string {
  const reasons = channels.map(
    (channel) =>
      notSetUp(channel, means)?.replace(/\.$/, '') ??
      serving(channel, methods).flatMap((method) =>
        method.verified ? (obstacle(method, means) ?? []) : [],
      )[0] ??
      lackingText(channel),
  );
  return t('This step reaches nobody: {reasons}.', { reasons: [...new Set(reasons)].join('; ') });
}

function lackingText(channel: ChannelName): string {
  const lacking = CHANNEL[channel].method?.lacking;
  return lacking ? t('you have {lacking}', { lacking }) : t('you have only an open dashboard');
}
