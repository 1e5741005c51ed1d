import { isDatabaseAway } from '../../db/away.ts';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import type { Sealing } from '../../kit/sealing.ts';
import {
  type ClaimedMessage,
  claimMessages,
  endAttempt,
  type MessageEnding,
} from '../../notices/message-store.ts';
import type { ChannelName, Outcome, Problem } from '../channels/channel.ts';
import type { Message } from '../channels/message.ts';
import type { Channels } from '../channels/registry.ts';

const SEND_DEADLINE_MS = 10_000;
const BATCH = 20;
/** Pages that are just being sent, from which on everything else waits: a storm is no time for news. */
const STORM = 50;
const FIRST_RETRY_MS = 15_000;
const LONGEST_RETRY_MS = 15 * 60_000;

export type MessageServices = {
  db: Database;
  clock: Clock;
  log: Log;
  channels: Channels;
  sealing: Sealing;
  publicUrl: string;
  /** How many pages this process is sending. */
  pagesUnderWay(): number;
  onProblem(channel: ChannelName, problem: Problem | null, error: string): void;
};

/**
 * Sends one batch of what people are told beside pages. Returns whether there may be more. Safe on every node at once:
 * each message is leased, and one whose sender died is sent again.
 */
export async function sendMessages(services: MessageServices): Promise<boolean> {
  const { db, clock } = services;
  if (services.pagesUnderWay() >= STORM) return false;
  const claimed = await claimMessages(db, (tx) => clock.now(tx), BATCH);
  await Promise.all(claimed.map((message) => sendOne(services, message)));
  return claimed.length === BATCH;
}

async function sendOne(services: MessageServices, message: ClaimedMessage): Promise<void> {
  const { db, clock, log } = services;
  const outcome = await attempt(services, message);
  if (outcome.kind === 'accepted') services.onProblem(message.channel, null, '');
  // That a channel was never set up is no trouble: what people are told stands in the dashboard.
  else if (outcome.problem && outcome.problem.code !== 'not_configured')
    services.onProblem(message.channel, outcome.problem, outcome.error);
  try {
    const at = await clock.now(db);
    await endAttempt(db, at, message, endingOf(outcome, message.attempts, at));
  } catch (error) {
    // The lease runs out, and the message is sent once more: better twice than never.
    if (!isDatabaseAway(error)) throw error;
    log.warn({ err: error, message: message.id }, 'what came of a message could not be written down');
  }
}

async function attempt(services: MessageServices, message: ClaimedMessage): Promise<Outcome> {
  const channel = services.channels[message.channel];
  try {
    const address = {
      value: message.address,
      chatUserId: message.chatUserId,
      pushKeys: message.pushKeys,
      signingSecret: message.signingSecret && services.sealing.open(message.signingSecret),
      userId: message.userId ?? '',
    };
    return await channel.send(
      contentOf(message, services.publicUrl),
      address,
      AbortSignal.timeout(SEND_DEADLINE_MS),
    );
  } catch (error) {
    services.log.error({ err: error, channel: message.channel }, 'a message could not be sent');
    return { kind: 'refused', error: `the channel failed: ${(error as Error).message}` };
  }
}

function contentOf(message: ClaimedMessage, publicUrl: string): Message {
  return {
    type: 'notice',
    id: message.id,
    kind: message.kind,
    subject: message.subject,
    text: message.text,
    url: message.url ?? (message.path === null ? null : publicUrl + message.path),
    code: null,
    sentAt: message.createdAt,
  };
}

/** 15 s, 30 s, 1 min … a quarter of an hour, or what the provider asks for. */
function endingOf(outcome: Outcome, attempts: number, at: Temporal.Instant): MessageEnding {
  if (outcome.kind === 'accepted') return { state: 'sent', providerId: outcome.providerId };
  if (outcome.kind === 'refused') return { state: 'failed', error: outcome.error };
  const backoffMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10));
  const askedMs = Math.min(outcome.retryAfterMs ?? 0, LONGEST_RETRY_MS);
  return {
    state: 'waiting',
    error: outcome.error,
    againAt: at.add({ milliseconds: Math.max(backoffMs, askedMs) }),
  };
}
