import type { ChannelName } from './channels/channel.ts';

/** The properties of a delivery that decide whether its run fails over to the next channel. */
export type RunDelivery = {
  id: string;
  channel: ChannelName;
  rule: number;
  state: 'waiting' | 'sending' | 'retrying' | 'accepted' | 'delivered' | 'failed' | 'cancelled' | 'bundled';
  dueAt: Temporal.Instant;
  /** It waits only because of a rate limit. */
  held: boolean;
};

export type Failover =
  | { kind: 'none' }
  /** Send these now instead of later. */
  | { kind: 'hasten'; deliveryIds: string[] }
  /** No rule is left: use every verified contact method that was not tried yet. */
  | { kind: 'fall-back' }
  /** Nothing is left to try. */
  | { kind: 'unreachable' };

/**
 * Decides what follows when a delivery of a run fails (contract, section 6). If another delivery was accepted or is
 * being sent, nothing follows. Otherwise, the next channel starts at once. An open dashboard does not delay the next
 * channel, because nobody may be looking at it. But a person whose open dashboard shows the page is not unreachable,
 * and gets the usual time to answer.
 */
export function decideFailover(
  run: readonly RunDelivery[],
  fellBack: boolean,
  now: Temporal.Instant,
): Failover {
  const deliveries = run.filter((delivery) => delivery.channel !== 'browser');
  if (deliveries.some((delivery) => isUnderWay(delivery, now))) return { kind: 'none' };
  const waiting = deliveries.filter((delivery) => delivery.state === 'waiting');
  const next = waiting.reduce<RunDelivery | null>(
    (first, delivery) =>
      first === null || Temporal.Instant.compare(delivery.dueAt, first.dueAt) < 0 ? delivery : first,
    null,
  );
  if (next)
    return {
      kind: 'hasten',
      deliveryIds: waiting.filter((delivery) => delivery.rule === next.rule).map(({ id }) => id),
    };
  if (!fellBack) return { kind: 'fall-back' };
  const shown = run.some((delivery) => isUnderWay(delivery, now));
  const retried = deliveries.some(({ state }) => state === 'retrying');
  return { kind: shown || retried ? 'none' : 'unreachable' };
}

function isUnderWay(delivery: RunDelivery, now: Temporal.Instant): boolean {
  if (delivery.state === 'waiting')
    return delivery.held || Temporal.Instant.compare(delivery.dueAt, now) <= 0;
  return (
    delivery.state === 'sending' ||
    delivery.state === 'accepted' ||
    delivery.state === 'delivered' ||
    delivery.state === 'bundled'
  );
}
