import type { Webhook } from '../../webhooks/webhook.ts';
import type { NamedHeartbeat } from '../heartbeat-store.ts';

/** Heartbeats that are called with their own key, or by name with the key of another source of their team. */
export type DialectHeartbeats = {
  /** Records a call of this heartbeat. False if it has no interval. */
  note(heartbeat: Webhook): Promise<boolean>;
  /**
   * Records a call of the heartbeat with this name in the team of `source`. Without a name: the one with the name of
   * the source, followed by “heartbeat”. False if the team has none.
   */
  beat(source: Webhook, name: string | null): Promise<boolean>;
  /** The heartbeats of the team of `source`; with a name, only the one with that name. */
  list(source: Webhook, name: string | null): Promise<NamedHeartbeat[]>;
};
