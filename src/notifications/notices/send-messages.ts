import { isDatabaseAway } from '../../db/away.ts';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import type { Log } from '../../kit/log.ts';
import type { Sealing } from '../../kit/sealing.ts';
import { inLanguage } from '../../language/ambient.ts';
import { stored } from '../../language/contract.ts';
import { type ClaimedMessage, claimMessages, endAttempt, type MessageEnding } from '../../notices/store.ts';
import type { Addressed, Outcome, Problem } from '../channels/channel.ts';
import type { Message } from '../channels/message.ts';
import type { Channels } from '../channels/registry.ts';

const SEND_DEADLINE_MS = 10_000;
const BATCH = 20;
/** While more pages than this are being sent, notices wait. */
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
  /** The number of notifications that this process is sending. */
  pagesUnderWay(): number;
  onProblem(to: Addressed, problem: Problem | null, error: string): void;
};

/**
 * Sends a batch of events for programs, or of notices and other messages, and returns whether there may be more.
 * Several nodes may run it at once, because each message is leased. If a node dies, its messages are sent again.
 */
export async function sendMessages(
  services: MessageServices,
  which: 'events' | 'others' = 'others',
): Promise<boolean> {
  const { db, clock } = services;
  if (services.pagesUnderWay() >= STORM) return false;
  const claimed = await claimMessages(db, (tx) => clock.now(tx), BATCH, which);
  await Promise.all(claimed.map((message) => sendOne(services, message)));
  return claimed.length === BATCH;
}

async function sendOne(services: MessageServices, message: ClaimedMessage): Promise<void> {
  const { db, clock, log } = services;
  const outcome = await inLanguage(message.language, () => attempt(services, message));
  if (outcome.kind === 'accepted') services.onProblem(message, null, '');
  // A channel that was never set up is not a problem here, because notices are also in the inbox.
  else if (outcome.problem && outcome.problem.code !== 'not_configured')
    services.onProblem(message, outcome.problem, outcome.error);
  try {
    const at = await clock.now(db);
    await endAttempt(db, at, message, endingOf(outcome, message.attempts, at));
  } catch (error) {
    // The message is sent again when its lease expires.
    if (!isDatabaseAway(error)) throw error;
    log.warn({ err: error, message: message.id }, 'could not record the outcome of a message');
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
    services.log.error({ err: error, channel: message.channel }, 'could not send a message');
    return {
      kind: 'refused',
      error: stored('The channel failed: {message}', { message: (error as Error).message }),
    };
  }
}

function contentOf(message: ClaimedMessage, publicUrl: string): Message {
  const path = message.body?.path ?? message.path;
  return {
    type: 'notice',
    id: message.id,
    kind: message.kind,
    subject: message.subject,
    text: message.text,
    url: message.url ?? (path === null ? null : publicUrl + path),
    code: null,
    ...(message.body === null ? {} : { event: { type: message.body.type, data: message.body.data } }),
    sentAt: message.createdAt,
  };
}

/** 15 s, 30 s, 1 min … 15 min, or the delay that the provider requests. */
function endingOf(outcome: Outcome, attempts: number, at: Temporal.Instant): MessageEnding {
  if (outcome.kind === 'accepted') return { state: 'sent', providerId: outcome.providerId };
  if (outcome.kind === 'refused') return { state: 'failed', error: outcome.error };
  const backoffMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts - 1, 10));
  const requestedMs = Math.min(outcome.retryAfterMs ?? 0, LONGEST_RETRY_MS);
  return {
    state: 'waiting',
    error: outcome.error,
    againAt: at.add({ milliseconds: Math.max(backoffMs, requestedMs) }),
  };
}
