import type { Acted, ActingSource, Via } from './event-contract.ts';

/** Who acts on a page, and how. A page source acts as itself, never as a person. */
export type Actor = { userId: string | null; via: Via; source?: ActingSource };

/** The part of an event's data that says how somebody acted. */
export function acted({ via, source }: Actor): Acted {
  return source ? { via, source } : { via };
}
