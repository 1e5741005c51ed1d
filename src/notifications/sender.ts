import { isDatabaseAway } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createGroupCommit } from '../db/group-commit.ts';
import type { Log } from '../kit/log.ts';
import type { Sealing } from '../kit/sealing.ts';
import { inLanguage } from '../language/ambient.ts';
import { stored } from '../language/contract.ts';
import { inWords } from '../pages/own-texts-contract.ts';
import {
  type Addressed,
  CHANNELS,
  type ChannelName,
  type Notification,
  type Outcome,
  type Problem,
} from './channels/channel.ts';
import { CHANNEL } from './channels/contract.ts';
import { DEADLINE_MS } from './channels/outcome.ts';
import type { Channels } from './channels/registry.ts';
import { acknowledgeToken, acknowledgeUrl, pageUrl } from './links.ts';
import {
  findOutgoing,
  type Held,
  type Outgoing,
  type OutgoingRow,
  readOutgoing,
  recordAccepted,
  returnUnsent,
} from './outcome-store.ts';
import { recordFailedAttempt, recordUndelivered } from './outcomes.ts';
import { createSendingQueue, type SendingQueue } from './sending-queue.ts';
import { LEASE_MS } from './store.ts';

/** A delivery that waited longer than this for its turn is read again, because its page may have ended. */
const READ_AGAIN_MS = 300;
/** A delivery whose lease is older than this is not sent, because another node may be about to take it over. */
const BEGIN_WITHIN_MS = LEASE_MS - DEADLINE_MS - 5_000;

/** The most deliveries that this process leases at once. The rest is left for other nodes. */
const BACKLOG_LIMIT = 3_000;

const DAMAGED = stored(
  'The secret of this contact method cannot be decrypted. Remove the method and add it again.',
);

const REMOVED = stored('The contact method was removed or changed after the notification was planned.');

export type SenderServices = {
  db: Database;
  clock: Clock;
  log: Log;
  channels: Channels;
  sealing: Sealing;
  publicUrl: string;
  /** Begins the title of every page that is sent. */
  titleMark?: string;
  node(): number;
  /** Called for every outcome, for metrics and problems. */
  onOutcome(sent: Outgoing, outcome: Outcome): void;
  onProblem(to: Addressed, problem: Problem | null, error: string): void;
};

export type Sender = {
  /** Sends deliveries that are leased to this node. `read`: their rows, if they were read since the commit of the lease. */
  dispatch(deliveryIds: readonly string[], read?: readonly OutgoingRow[] | null): void;
  /** Resolves with true when the queue has room for more leases, and with false when the sender stops. */
  room(): Promise<boolean>;
  /** Whether the queue has room for more leases now. */
  hasRoom(): boolean;
  /** Channels whose queue is full, for which nothing more is claimed. */
  full(): ChannelName[];
  /** Whether the channel's queue is full for a new delivery of this team or person. */
  fullFor(channel: ChannelName, organizationId: string, turnOf: string): boolean;
  /** Resolves when nothing is being sent. */
  idle(): Promise<void>;
  /** Stops starting calls; running ones continue. */
  pause(): void;
  /** Returns the deliveries that were not started, and waits for the others. */
  stop(): Promise<void>;
  readonly busy: number;
  /** The ids of deliveries that this process has leased and not finished. */
  inHand(): string[];
};

export function createSender(services: SenderServices): Sender {
  const { db, clock, log } = services;
  const queues = new Map<ChannelName, SendingQueue>();
  const underWay = new Set<Promise<void>>();
  const inHand = new Set<string>();
  let stopping = false;
  const waitingForRoom: ((room: boolean) => void)[] = [];

  const acceptances = createGroupCommit<Held & { providerId: string | null }, { undelivered: boolean }>({
    maxItems: 200,
    concurrency: 1,
    isItemsFault: (error) => !isDatabaseAway(error),
    async flush(items) {
      const recorded = await recordAccepted(db, clock, items);
      return items.map((item) => recorded.get(item.deliveryId) ?? { undelivered: false });
    },
  });

  /** Deliveries that have waited are read again together with all others that begin at the same time. */
  const readAgain = createGroupCommit<Outgoing, boolean>({
    maxItems: 100,
    concurrency: 1,
    isItemsFault: (error) => !isDatabaseAway(error),
    async flush(items) {
      const ofNodes = Map.groupBy(items, ({ node }) => node);
      const current = await Promise.all(
        [...ofNodes].map(([node, its]) => findOutgoing(db, clock, its.map(idOf), node)),
      );
      const wanted = new Set(current.flat().flatMap((one) => (one.wanted ? [one.deliveryId] : [])));
      return items.map((one) => wanted.has(one.deliveryId));
    },
  });

  function track(work: Promise<void>): void {
    const tracked = work
      .catch((error) => log.error({ err: error }, 'sending failed'))
      .finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  async function load(
    deliveryIds: readonly string[],
    leasedAt: number,
    read: readonly OutgoingRow[] | null,
  ): Promise<void> {
    const node = services.node();
    const outgoing =
      read?.map(readOutgoing) ?? (await persist(() => findOutgoing(db, clock, deliveryIds, node)));
    const found = new Set(outgoing.map(({ deliveryId }) => deliveryId));
    for (const id of deliveryIds) if (!found.has(id)) inHand.delete(id);
    // Return deliveries that were answered after they were leased; the next claim cancels them.
    const over = outgoing.filter(({ wanted }) => !wanted);
    if (over.length > 0) await persist(() => returnUnsent(db, clock, over.map(heldOf)));
    done(over.map(({ deliveryId }) => deliveryId));
    for (const one of outgoing.filter(({ wanted }) => wanted)) {
      queueOf(one.channel).push({ outgoing: one, leasedAt });
    }
    for (const channel of new Set(outgoing.map(({ channel }) => channel))) pump(channel);
  }

  function done(deliveryIds: readonly string[]): void {
    for (const id of deliveryIds) inHand.delete(id);
    if (inHand.size >= BACKLOG_LIMIT) return;
    for (const resolve of waitingForRoom.splice(0)) resolve(true);
  }

  function queueOf(channel: ChannelName): SendingQueue {
    const queue = queues.get(channel) ?? createSendingQueue(CHANNEL[channel].concurrency);
    queues.set(channel, queue);
    return queue;
  }

  function pump(channel: ChannelName): void {
    const queue = queueOf(channel);
    while (!stopping) {
      const next = queue.begin();
      if (!next) return;
      track(
        sendOne(next.outgoing, next.leasedAt).finally(() => {
          done([next.outgoing.deliveryId]);
          queue.ended(next);
          pump(channel);
        }),
      );
    }
  }

  async function sendOne(outgoing: Outgoing, leasedAt: number): Promise<void> {
    const waitedMs = performance.now() - leasedAt;
    // After a paused process or a long queue, another node has the lease or will have it soon.
    if (waitedMs > BEGIN_WITHIN_MS || !(waitedMs < READ_AGAIN_MS || (await isWanted(outgoing))))
      return persist(() => returnUnsent(db, clock, [heldOf(outgoing)]));
    const outcome = await attempt(outgoing);
    services.onOutcome(outgoing, outcome);
    if (outcome.kind === 'accepted') {
      services.onProblem(outgoing, null, '');
      const { undelivered } = await persist(() =>
        acceptances.write({ ...heldOf(outgoing), providerId: outcome.providerId }),
      );
      if (undelivered) await persist(() => recordUndelivered(db, clock, outgoing));
      return;
    }
    if (outcome.problem) services.onProblem(outgoing, outcome.problem, outcome.error);
    await persist(() => recordFailedAttempt(db, clock, outgoing, outcome));
  }

  /** While the database is away, nobody can answer the page either, so it is sent. */
  async function isWanted(outgoing: Outgoing): Promise<boolean> {
    try {
      return await readAgain.write(outgoing);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      return true;
    }
  }

  async function attempt(outgoing: Outgoing): Promise<Outcome> {
    const channel = services.channels[outgoing.channel];
    if (channel.unavailable) {
      return {
        kind: 'refused',
        error: channel.unavailable,
        problem: { code: 'not_configured', fix: channel.unavailable },
      };
    }
    // The number of a lost phone may belong to somebody else by now. The next channel is used at once.
    if (outgoing.methodId === null && CHANNEL[outgoing.channel].method)
      return { kind: 'refused', error: REMOVED };
    const notification = compose(outgoing, services);
    const address = readAddress(outgoing);
    if (!address) return { kind: 'refused', error: DAMAGED };
    try {
      // The channel has a deadline of its own, so that it needs none from here.
      return await inLanguage(outgoing.language, () => channel.send(notification, address));
    } catch (error) {
      log.error(
        { err: error, channel: outgoing.channel },
        'a notification channel failed with an unexpected error',
      );
      return {
        kind: 'retry',
        error: stored('The channel failed: {message}', { message: (error as Error).message }),
        maybeSent: true,
      };
    }
  }

  /** Null if the secret cannot be decrypted. A retry would not help, but the next channel may. */
  function readAddress(outgoing: Outgoing): ReturnType<typeof addressOf> | null {
    try {
      return addressOf(outgoing, services.sealing);
    } catch (error) {
      log.error(
        { err: error, delivery: outgoing.deliveryId },
        'the secret of a contact method cannot be decrypted',
      );
      return null;
    }
  }

  /** Retries while the database is away, because a lost outcome means that the notification is sent twice. */
  async function persist<Result>(write: () => Promise<Result>): Promise<Result> {
    for (let delayMs = 100; ; delayMs = Math.min(2_000, delayMs * 2)) {
      try {
        return await write();
      } catch (error) {
        if (stopping || !isDatabaseAway(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay);
  }

  return {
    dispatch(deliveryIds, read = null) {
      if (deliveryIds.length === 0) return;
      for (const id of deliveryIds) inHand.add(id);
      track(
        load(deliveryIds, performance.now(), read).catch((error) => {
          // They stay leased until the duty `leases` finds that no node is sending them.
          done(deliveryIds);
          throw error;
        }),
      );
    },
    full() {
      return CHANNELS.filter((channel) => queues.get(channel)?.full);
    },
    fullFor(channel, organizationId, turnOf) {
      return queues.get(channel)?.fullFor(organizationId, turnOf) ?? false;
    },
    hasRoom: () => inHand.size < BACKLOG_LIMIT && !stopping,
    room() {
      if (inHand.size < BACKLOG_LIMIT || stopping) return Promise.resolve(!stopping);
      return new Promise((resolve) => {
        waitingForRoom.push(resolve);
      });
    },
    idle,
    pause() {
      stopping = true;
      for (const resolve of waitingForRoom.splice(0)) resolve(false);
    },
    async stop() {
      this.pause();
      await idle();
      const unsent = [...queues.values()].flatMap((queue) =>
        queue.clear().map(({ outgoing }) => heldOf(outgoing)),
      );
      await returnUnsent(db, clock, unsent);
    },
    get busy() {
      return underWay.size;
    },
    inHand: () => [...inHand],
  };
}

function idOf({ deliveryId }: Outgoing): string {
  return deliveryId;
}

function heldOf({ deliveryId, attempt, node }: Outgoing): Held {
  return { deliveryId, attempt, node };
}

/** The notification that a channel sends. */
export function compose(
  outgoing: Outgoing,
  services: Pick<SenderServices, 'sealing' | 'publicUrl' | 'titleMark'>,
): Notification {
  const { sealing, publicUrl, titleMark = '' } = services;
  const { title, text, bundled } = wordsOf(outgoing);
  return {
    type: outgoing.type,
    deliveryId: outgoing.deliveryId,
    attempt: outgoing.attempt,
    pageId: outgoing.pageId,
    title: titleMark + title,
    text,
    urgency: outgoing.urgency,
    sourceUrl: outgoing.sourceUrl,
    team: outgoing.team,
    stage: outgoing.stage === null ? null : String(outgoing.stage),
    round: outgoing.round,
    repeat: outgoing.repeat,
    bundled,
    acknowledgeUrl: acknowledgeUrl(publicUrl, acknowledgeToken(sealing, outgoing.deliveryId, outgoing.now)),
    pageUrl: pageUrl(publicUrl, outgoing.pageId),
    sentAt: outgoing.now,
    replyCode: outgoing.replyCode,
  };
}

/** What the page says. Webhooks are read by programs, which expect the title and text that the page has everywhere. */
function wordsOf(outgoing: Outgoing): Pick<Notification, 'title' | 'text' | 'bundled'> {
  const { title, text, bundled, channel, language } = outgoing;
  if (channel === 'webhook') return { title, text, bundled };
  return inLanguage(language, () => ({ ...inWords({ title, text }), bundled: bundled.map(inWords) }));
}

/** Where a delivery goes. Throws when the secret of the contact method cannot be decrypted. */
export function addressOf(outgoing: Outgoing, sealing: Sealing) {
  return {
    value: outgoing.address,
    userId: outgoing.userId,
    chatUserId: outgoing.chatUserId,
    pushKeys: outgoing.pushKeys,
    signingSecret: outgoing.signingSecret ? sealing.open(outgoing.signingSecret) : null,
  };
}
