import { instantText } from '../../kit/instant.ts';
import { storedText } from '../../language/stored.ts';
import { EVENT_TOPICS } from '../../notices/contract.ts';
import { methodOf } from '../../notifications/channels/contract.ts';
import type { MethodList, MethodShown, ReachShown } from '../contact-contract.ts';
import type { MethodRow } from '../contact-store.ts';
import { type Means, obstacle, type Reach, reachability } from '../reachability.ts';

/** A person's contact methods, and whether a page would arrive. */
export function presentMethods(
  methods: readonly MethodRow[],
  means: Means,
  dashboardOpen: boolean,
): MethodList {
  return {
    contact_methods: methods.map((method) => presentMethod(method, means)),
    ...presentReach(reachability({ disabled: false, dashboardOpen, methods }, means)),
    unavailable: Object.fromEntries(
      [...means.unavailable].map(([channel, why]) => [channel, storedText(why)]),
    ),
  };
}

export function presentReach({ reachable, by, whyNot }: Reach): ReachShown {
  return { reachable, reachable_by: by, why_not: whyNot };
}

export function presentMethod(method: MethodRow, means: Means): MethodShown {
  const { id, type, value, chatUserId, verified, notices, events } = method;
  return {
    id,
    type,
    value: methodOf(type).shown(value),
    chat_user_id: chatUserId,
    verified,
    notices,
    events: EVENT_TOPICS.filter((topic) => events.includes(topic)),
    obstacle: obstacle(method, means),
    proved_at: textOrNull(method.provedAt),
    reached_at: textOrNull(method.reachedAt),
    failing:
      method.lastAt && method.lastError !== null
        ? { at: instantText(method.lastAt), error: storedText(method.lastError) }
        : null,
    created_at: instantText(method.createdAt),
  };
}

function textOrNull(at: Temporal.Instant | null): string | null {
  return at && instantText(at);
}
