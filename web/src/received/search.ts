import type { CallState } from '../../../src/webhooks/call-contract.ts';

/** Search parameters of the list of calls. */
export type ReceivedSearch = { state?: CallState; webhook?: string };

const STATES: readonly string[] = ['queued', 'success', 'error', 'ignored'] satisfies CallState[];

export function readReceivedSearch({ state, webhook }: Record<string, unknown>): ReceivedSearch {
  return {
    ...(STATES.includes(String(state)) ? { state: state as CallState } : {}),
    ...(webhook ? { webhook: String(webhook).slice(0, 100) } : {}),
  };
}
