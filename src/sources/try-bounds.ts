import type { ReadCall } from '../webhooks/record.ts';
import { MOST_TRIED_EVENTS } from './try-contract.ts';

/** Leaves out events beyond the limit: an event never changes the effect of earlier ones. */
export function bounded(read: ReadCall): { read: ReadCall; leftOut: number; warnings: string[] } {
  const { result } = read;
  if (!('events' in result)) return { read, leftOut: 0, warnings: [] };
  const { certified, events, orders = [] } = result;
  const warnings = certified
    ? ['The signature of the call was not checked, because its certificate has to be fetched for that.']
    : [];
  const kept = {
    events: events.slice(0, MOST_TRIED_EVENTS),
    orders: orders.slice(0, MOST_TRIED_EVENTS),
  };
  return { read: { ...read, result: kept }, leftOut: events.length - kept.events.length, warnings };
}
