import type { ChannelName } from './channels/channel.ts';

/** One delivery of a run, as far as the next channel's turn depends on it. */
export type RunDelivery = {
  id: string;
  channel: ChannelName;
  rule: number;
  state: 'waiting' | 'sending' | 'retrying' | 'accepted' | 'delivered' | 'failed' | 'cancelled' | 'bundled';
  dueAt: Temporal.Instant;
  /** Waits only because of a storm's limit. */
  held: boolean;
};

export type Failover =
  | { kind: 'none' }
  /** These wait for a later time but go now. */
  | { kind: 'hasten'; deliveryIds: string[] }
  /** No rule is left: every verified method that was not tried yet. */
  | { kind: 'fall-back' }
  /** Nothing is left to try. */
  | { kind: 'unreachable' };

/**
 * What follows when a delivery of a run could not be made (contract, section 6): as long as something reached the
 * provider or is on its way, nothing; else the next channel at once.
 *
 * An open dashboard holds nothing up, since it may stand on a desk that nobody sits at. But where it is the only thing
 * that shows the page, the person is not unreachable: they get the time that anybody gets to answer.
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
