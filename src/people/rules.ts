import { CHANNEL, CHANNELS, channelsOf } from '../notifications/channels/contract.ts';
import type { ChannelName, Method, Rule, Urgency } from './contract.ts';

export type { Method, Rule, Urgency } from './contract.ts';

export type PlannedNotification = {
  /** Null for the open dashboard, which needs no contact method. */
  methodId: string | null;
  channel: ChannelName;
  /** Counted from the start of the person's turn. */
  afterMs: number;
  /** Position of the rule that sends it, or FALLBACK_RULE, or DASHBOARD_RULE. */
  rule: number;
};

/** "Every verified method at once", for rules that reach none of the person's methods. */
export const FALLBACK_RULE = 1000;
/** The open dashboard, which is notified regardless of the rules. */
export const DASHBOARD_RULE = 1001;

const MINUTE = 60_000;

/** For people without rules of their own (contract, section 6), as each channel describes it. */
function defaultRules(urgency: Urgency): Rule[] {
  const minutes = new Set(CHANNELS.flatMap((channel) => CHANNEL[channel].byDefault[urgency] ?? []));
  return [...minutes]
    .toSorted((a, b) => a - b)
    .map((after, position) => ({
      urgency,
      position,
      afterMs: after * MINUTE,
      channels: CHANNELS.filter((channel) => CHANNEL[channel].byDefault[urgency]?.includes(after)),
    }));
}

/** The person's own rules for this urgency, otherwise the defaults; ordered by time. */
export function effectiveRules(urgency: Urgency, ownRules: readonly Rule[]): Rule[] {
  const own = ownRules.filter((rule) => rule.urgency === urgency);
  const rules = own.length > 0 ? own : defaultRules(urgency);
  return rules.toSorted((a, b) => a.afterMs - b.afterMs || a.position - b.position);
}

/**
 * The rules for a page of this urgency: the person's own, otherwise the defaults. If these reach none of the verified
 * methods: one rule that notifies all of them at once. Ordered by time.
 */
function rulesFor(urgency: Urgency, ownRules: readonly Rule[], methods: readonly Method[]): Rule[] {
  const rules = effectiveRules(urgency, ownRules);
  const reachable = new Set(
    methods.filter((method) => method.verified).flatMap(({ type }) => channelsOf(type)),
  );
  if (reachable.size === 0 || rules.some((rule) => rule.channels.some((channel) => reachable.has(channel))))
    return rules;
  const channels = [...reachable].filter((channel) => urgency === 'high' || !CHANNEL[channel].onlyIfUrgent);
  return [{ urgency, position: FALLBACK_RULE, afterMs: 0, channels }];
}

/**
 * What one run of a person's rules will send, in order. Only verified methods. Rules that reach none of the person's
 * methods fall back to every verified method at once (rule 1000). The open dashboard (browser, methodId null) is
 * always notified at 0 in addition, whatever the rules say (rule 1001).
 */
export function planNotifications(
  urgency: Urgency,
  ownRules: readonly Rule[],
  methods: readonly Method[],
): PlannedNotification[] {
  const usable = methods.filter((method) => method.verified).toSorted((a, b) => a.position - b.position);
  const planned: PlannedNotification[] = [
    { methodId: null, channel: 'browser', afterMs: 0, rule: DASHBOARD_RULE },
  ];
  for (const rule of rulesFor(urgency, ownRules, methods)) {
    for (const channel of rule.channels) {
      for (const methodId of methodsServing(channel, usable))
        planned.push({ methodId, channel, afterMs: rule.afterMs, rule: rule.position });
    }
  }
  return withoutDoubles(planned);
}

/** Every verified method at once, for people whom their rules cannot reach. */
export function planFallback(urgency: Urgency, methods: readonly Method[]): PlannedNotification[] {
  return planNotifications(
    urgency,
    [{ urgency, position: FALLBACK_RULE, afterMs: 0, channels: [] }],
    methods,
  ).filter((planned) => planned.methodId !== null);
}

function methodsServing(channel: ChannelName, methods: readonly Method[]): (string | null)[] {
  if (CHANNEL[channel].method === null) return [null];
  return methods.filter((method) => channelsOf(method.type).includes(channel)).map((method) => method.id);
}

/** Two rules for the same method at the same time send one notification. */
function withoutDoubles(planned: readonly PlannedNotification[]): PlannedNotification[] {
  const seen = new Set<string>();
  return planned.filter(({ methodId, channel, afterMs }) => {
    const name = `${methodId} ${channel} ${afterMs}`;
    return !seen.has(name) && seen.add(name);
  });
}
