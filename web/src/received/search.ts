import type { NotificationState } from '../../../src/webhooks/notification-contract.ts';

/** What the address of the list says. */
export type ReceivedSearch = { state?: NotificationState; webhook?: string };

const STATES: readonly string[] = ['queued', 'success', 'error', 'ignored'] satisfies NotificationState[];

export function readReceivedSearch({ state, webhook }: Record<string, unknown>): ReceivedSearch {
  return {
    ...(STATES.includes(String(state)) ? { state: state as NotificationState } : {}),
    ...(webhook ? { webhook: String(webhook).slice(0, 100) } : {}),
  };
}
