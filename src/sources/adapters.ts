import type { Adapter } from '../moments/integrations/adapter.ts';
import { readerFor } from '../moments/integrations/registry.ts';
import { CUSTOM } from '../webhooks/contract.ts';
import { customPage } from './custom-adapter.ts';

/** Adapters that only sources use: the page form of `custom`, and the APIs of other products. */
const ADAPTERS = new Map<string, Adapter>([[CUSTOM, customPage]]);

/** The adapter that reads the calls of sources of a type; null for an unknown type. */
export function sourceAdapter(type: string): Adapter | null {
  return ADAPTERS.get(type) ?? readerFor(type);
}
