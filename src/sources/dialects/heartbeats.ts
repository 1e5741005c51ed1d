import type { Webhook } from '../../webhooks/webhook.ts';
import type { NamedHeartbeat } from '../heartbeat-store.ts';

/** Heartbeats that are called by a key of their own, or by name with the key of another source of their team. */
export type DialectHeartbeats = {
  /** Notes a call of this heartbeat. False when it has no interval. */
  note(heartbeat: Webhook): Promise<boolean>;
  /**
   * Notes a call of the heartbeat with this name in the team of `source`; without a name, of the one that has the name of
   * the source, followed by “heartbeat”. False when the team has none.
   */
  beat(source: Webhook, name: string | null): Promise<boolean>;
  /** The heartbeats of the team of `source`; with a name, only the one that is called so. */
  list(source: Webhook, name: string | null): Promise<NamedHeartbeat[]>;
};
