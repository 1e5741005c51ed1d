import { isDatabaseAway } from '../../db/away.ts';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import { inLanguage } from '../../language/ambient.ts';
import { stored, t } from '../../language/contract.ts';
import { titleText } from '../../pages/own-texts-contract.ts';
import { retryDelayMs } from '../backoff.ts';
import type {
  Address,
  Addressed,
  ChannelName,
  Notification,
  Outcome,
  Problem,
  Resolution,
} from '../channels/channel.ts';
import { CHANNEL } from '../channels/contract.ts';
import type { Message } from '../channels/message.ts';
import type { Channels } from '../channels/registry.ts';
import { oneLine, resolvedLine } from '../channels/wording.ts';
import { pageUrl } from '../links.ts';
import { findOutgoing, type Outgoing } from '../outcome-store.ts';
import { type AllClearMessage, claimAllClears } from './claim.ts';
import { type AllClearEnding, endAllClears } from './store.ts';

const SEND_DEADLINE_MS = 10_000;
const BATCH = 20;
/** While more pages than this are being sent, all-clears wait; calls still end. */
const STORM = 50;

export type AllClearServices = {
  db: Database;
  clock: Clock;
  log: Log;
  channels: Channels;
  publicUrl: string;
  /** The number of notifications that this process is sending. */
  pagesUnderWay(): number;
  compose(outgoing: Outgoing): Notification;
  addressOf(outgoing: Outgoing): Address;
  onProblem(to: Addressed, problem: Problem | null, error: string): void;
};

/**
 * Sends a batch of all-clears of one channel, and returns whether there may be more. Several nodes may run it at once.
 * If a node dies, its all-clears are sent again.
 */
export async function sendAllClears(services: AllClearServices, channel: ChannelName): Promise<boolean> {
  const { db, clock } = services;
  if (channel !== 'voice' && services.pagesUnderWay() >= STORM) return false;
  const { messages, more } = await claimAllClears(db, clock, channel, BATCH);
  if (messages.length === 0) return false;
  const carriers = await findOutgoing(
    db,
    clock,
    messages.map(({ parts }) => parts[0].carrier),
    null,
  );
  await Promise.all(
    messages.map(async (message) => {
      const carrier = carriers.find(({ deliveryId }) => deliveryId === message.parts[0].carrier);
      if (carrier) await sendOne(services, message, carrier);
    }),
  );
  return more;
}

async function sendOne(
  services: AllClearServices,
  message: AllClearMessage,
  carrier: Outgoing,
): Promise<void> {
  const { db, clock, log } = services;
  const outcome = await inLanguage(carrier.language, () => attempt(services, message, carrier));
  if (outcome.kind === 'accepted') services.onProblem(carrier, null, '');
  else if (outcome.problem) services.onProblem(carrier, outcome.problem, outcome.error);
  const held = message.parts.map(({ id, attempts }) => ({ id, attempts: attempts + 1 }));
  try {
    const at = await clock.now(db);
    await endAllClears(db, at, held, endingOf(outcome, message.parts[0].attempts + 1, at));
  } catch (error) {
    // It is sent again when its lease expires.
    if (!isDatabaseAway(error)) throw error;
    log.warn({ err: error, allClear: message.id }, 'could not record the outcome of an all-clear');
  }
}

async function attempt(
  services: AllClearServices,
  message: AllClearMessage,
  carrier: Outgoing,
): Promise<Outcome> {
  const channel = services.channels[carrier.channel];
  try {
    const resolution = resolutionOf(message, services.compose(carrier), carrier);
    const address = services.addressOf(carrier);
    const signal = AbortSignal.timeout(SEND_DEADLINE_MS);
    if (channel.resolve) return await channel.resolve(resolution, address, signal);
    // Never a call: only these channels announce by message that a page has ended.
    if (CHANNEL[channel.name].whenOver !== 'message')
      return { kind: 'refused', error: stored('This channel cannot change what it has sent.') };
    return await channel.send(messageOf(message, resolution, services.publicUrl), address, signal);
  } catch (error) {
    services.log.error({ err: error, channel: carrier.channel }, 'could not send an all-clear');
    return {
      kind: 'refused',
      error: stored('The channel failed: {message}', { message: (error as Error).message }),
    };
  }
}

function resolutionOf(
  { id, parts: [first] }: AllClearMessage,
  notification: Notification,
  { now }: Outgoing,
): Resolution {
  const { providerId, resolvedBy: by, resolvedAt } = first;
  return { id, notification, providerId, by, resolvedAt: resolvedAt ?? now, sentAt: now };
}

/** `Resolved: Disk full`, or for several pages how many, and their titles. */
function messageOf({ id, parts }: AllClearMessage, resolution: Resolution, publicUrl: string): Message {
  const [first, ...others] = parts;
  const { notification, sentAt } = resolution;
  const same = { type: 'notice', kind: 'page.resolved', id, code: null, sentAt } as const;
  if (others.length > 0) {
    const titles = parts.map(({ title }) => oneLine(titleText(title))).join('; ');
    return {
      ...same,
      url: null,
      subject: t('{count, plural, one {# page has ended} other {# pages have ended}}', {
        count: parts.length,
      }),
      text: titles,
    };
  }
  // The page of the all-clear may have been bundled into the notification of another.
  const { pageId, title } = first;
  const text = resolvedLine({ ...resolution, notification: { ...notification, bundled: [] } });
  const url = pageUrl(publicUrl, pageId);
  return {
    ...same,
    pageId,
    url,
    subject: t('Resolved: {title}', { title: oneLine(titleText(title)) }),
    text,
  };
}

/** 1 s, 2 s … 30 s, or the delay that the provider requests, until the all-clear expires. */
function endingOf(outcome: Outcome, attempts: number, at: Temporal.Instant): AllClearEnding {
  if (outcome.kind === 'accepted') return { state: 'sent' };
  if (outcome.kind === 'refused') return { state: 'failed', error: outcome.error };
  const delayMs = retryDelayMs(attempts, outcome.retryAfterMs, Math.random());
  return { state: 'waiting', error: outcome.error, dueAt: at.add({ milliseconds: delayMs }) };
}
