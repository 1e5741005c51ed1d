import type { PageKey } from '../pages/keyed-store.ts';
import type { Row } from './aboard-store.ts';

export function isOpen({ state }: Row): boolean {
  return state === 'notifying' || state === 'acknowledged';
}

export function keyOf({ organization_id, dedup_scope, dedup_key }: Row): PageKey {
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return { organizationId: String(organization_id), scope: text(dedup_scope), dedupKey: text(dedup_key) };
}
