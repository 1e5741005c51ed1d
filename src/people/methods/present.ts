import { instantText } from '../../kit/instant.ts';
import type { MethodList, MethodShown } from '../contact-contract.ts';
import { type Means, obstacle, obstacleSentence, reachability } from '../reachability.ts';
import type { MethodRow } from './store.ts';

/** A person's contact methods, and whether a page would arrive. */
export function presentMethods(methods: readonly MethodRow[], means: Means): MethodList {
  const found = reachability(methods, means);
  return {
    contact_methods: methods.map((method) => presentMethod(method, means)),
    reachable: found.reachable,
    why_not: found.reachable ? null : obstacleSentence(found.obstacles),
    unavailable: Object.fromEntries(means.unavailable),
  };
}

function presentMethod(method: MethodRow, means: Means): MethodShown {
  const { id, type, value, chatUserId, verified, notices } = method;
  return {
    id,
    type,
    // A subscription's address is a secret between the browser and us, and says nothing to people.
    value: type === 'push' ? (URL.parse(value)?.host ?? 'push service') : value,
    chat_user_id: chatUserId,
    verified,
    notices,
    obstacle: obstacle(method, means),
    proved_at: textOrNull(method.provedAt),
    reached_at: textOrNull(method.reachedAt),
    failing:
      method.lastAt && method.lastError !== null
        ? { at: instantText(method.lastAt), error: method.lastError }
        : null,
    created_at: instantText(method.createdAt),
  };
}

function textOrNull(at: Temporal.Instant | null): string | null {
  return at && instantText(at);
}
