import type { ChannelName, Method, MethodType, Rule, Urgency } from './contract.ts';

export type { Method, Rule, Urgency } from './contract.ts';

export type PlannedNotification = {
  /** Null: the open dashboard, which needs no contact method. */
  methodId: string | null;
  channel: ChannelName;
  /** Counted from the moment the person was asked. */
  afterMs: number;
  /** Position of the rule that asks for it, or FALLBACK_RULE, or DASHBOARD_RULE. */
  rule: number;
};

/** "Every verified method at once", for rules that reach none of the person's methods. */
export const FALLBACK_RULE = 1000;
/** The open dashboard, which is told whatever the rules say. */
export const DASHBOARD_RULE = 1001;

const MINUTE = 60_000;

/** For people without rules of their own (contract, section 6): minutes, channels. */
const DEFAULTS: Record<Urgency, readonly (readonly [number, readonly ChannelName[]])[]> = {
  high: [
    [0, ['push', 'sms', 'chat', 'email', 'webhook']],
    [2, ['voice']],
    [4, ['voice']],
    [6, ['voice']],
  ],
  medium: [
    [0, ['push', 'chat', 'email', 'webhook']],
    [5, ['sms']],
  ],
  low: [[0, ['chat', 'email', 'webhook']]],
};

/** Channels that a method of a type serves. */
const SERVES: Record<MethodType, readonly ChannelName[]> = {
  phone: ['sms', 'voice'],
  email: ['email'],
  chat: ['chat'],
  webhook: ['webhook'],
  push: ['push'],
};

function defaultRules(urgency: Urgency): Rule[] {
  return DEFAULTS[urgency].map(([minutes, channels], position) => ({
    urgency,
    position,
    afterMs: minutes * MINUTE,
    channels: [...channels],
  }));
}

/** The person's own rules for this urgency, else the defaults; ordered by time. */
export function effectiveRules(urgency: Urgency, ownRules: readonly Rule[]): Rule[] {
  const own = ownRules.filter((rule) => rule.urgency === urgency);
  const rules = own.length > 0 ? own : defaultRules(urgency);
  return rules.toSorted((a, b) => a.afterMs - b.afterMs || a.position - b.position);
}

/**
 * The rules that hold for a page of this urgency: the person's own, else the defaults; and where those reach none of
 * the verified methods, one that reaches them all at once. Ordered by time.
 */
function rulesFor(urgency: Urgency, ownRules: readonly Rule[], methods: readonly Method[]): Rule[] {
  const rules = effectiveRules(urgency, ownRules);
  const reachable = new Set(methods.filter((method) => method.verified).flatMap(({ type }) => SERVES[type]));
  if (reachable.size === 0 || rules.some((rule) => rule.channels.some((channel) => reachable.has(channel))))
    return rules;
  // A phone is not rung for what can wait: short of high urgency its fallback is the message alone.
  if (urgency !== 'high') reachable.delete('voice');
  return [{ urgency, position: FALLBACK_RULE, afterMs: 0, channels: [...reachable] }];
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

/** Every verified method at once: where nothing that the rules asked for could reach the person. */
export function planFallback(urgency: Urgency, methods: readonly Method[]): PlannedNotification[] {
  return planNotifications(
    urgency,
    [{ urgency, position: FALLBACK_RULE, afterMs: 0, channels: [] }],
    methods,
  ).filter((planned) => planned.methodId !== null);
}

function methodsServing(channel: ChannelName, methods: readonly Method[]): (string | null)[] {
  if (channel === 'browser') return [null];
  return methods.filter((method) => SERVES[method.type].includes(channel)).map((method) => method.id);
}

/** Two rules that ask for the same at the same time are one notification. */
function withoutDoubles(planned: readonly PlannedNotification[]): PlannedNotification[] {
  const seen = new Set<string>();
  return planned.filter(({ methodId, channel, afterMs }) => {
    const name = `${methodId} ${channel} ${afterMs}`;
    return !seen.has(name) && seen.add(name);
  });
}
