import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { type Sealing, sha256 } from '../kit/sealing.ts';
import { createShortMemory } from '../kit/short-memory.ts';
import type { WebhookHealth } from './health.ts';
import { findWebhook, markFormerUsed, markUsed } from './store.ts';
import type { Webhook } from './webhook.ts';

/** 256 bits in base64url, as `randomToken` makes them. Anything else is nobody's token. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type Arrival = {
  webhook: Webhook;
  /** The database's time, carried on from the last look-up; never ahead of it. */
  now: Temporal.Instant;
};

export type WebhookTokens = {
  /**
   * The webhook of a token. An unknown or revoked token, or one of another organization than `organizationId` if that
   * is given, is a 404 fault, an expired one 410. Neither says more, and both cost the same look-up.
   */
  resolve(token: string, organizationId?: string): Promise<Arrival>;
  /** Writes down which webhooks were called since the last call. */
  flushUses(): Promise<void>;
};

type Known = {
  webhook: Webhook;
  expired: boolean;
  /** Hash of the token in base64 where it is one that the webhook had before. */
  formerHash: string | null;
  at: Temporal.Instant;
  readAt: number;
};

const REFUSED = {
  expired: 'Calls still come, although the webhook has expired.',
  former_url:
    'Calls still come to a former URL of the webhook, which ended after the webhook was given a new one.',
} as const;

/** `elapsedMs` is this process's steady clock: it times the cache, and carries the database's time on in between. `health` is told of calls to expired URLs. */
export function createWebhookTokens(
  db: Database,
  clock: Clock,
  sealing: Sealing,
  { elapsedMs = () => performance.now(), health }: { elapsedMs?: () => number; health: WebhookHealth },
): WebhookTokens {
  // Only what can be used is kept: a webhook made a moment later works at once, and expired looks like unknown.
  const memory = createShortMemory<Known | null>((known) => known !== null && !known.expired, elapsedMs);
  const uses = new Map<string, Temporal.Instant>();
  const formerUses = new Map<string, Temporal.Instant>();

  async function find(hash: Buffer): Promise<Known | null> {
    const row = await findWebhook(db, clock, hash);
    if (!row) return null;
    const { id, organizationId, type, signingSecretSealed, expired, former, at } = row;
    const signingSecret = signingSecretSealed && sealing.open(signingSecretSealed);
    const webhook = { id, organizationId, type, signingSecret };
    return { webhook, expired, formerHash: former ? hash.toString('base64') : null, at, readAt: elapsedMs() };
  }

  function lookUp(token: string): Promise<Known | null> {
    const hash = sha256(token);
    return memory.get(hash.toString('base64'), () => find(hash));
  }

  async function flush(noted: Map<string, Temporal.Instant>, write: typeof markUsed): Promise<void> {
    if (noted.size === 0) return;
    const batch = new Map(noted);
    noted.clear();
    await write(db, batch);
  }

  return {
    async resolve(token, organizationId) {
      const known = TOKEN.test(token) ? await lookUp(token) : null;
      const foreign = organizationId !== undefined && known?.webhook.organizationId !== organizationId;
      if (!known || foreign) throw new Fault('not_found');
      if (known.expired) {
        const { id: webhookId, organizationId } = known.webhook;
        const code = known.formerHash === null ? 'expired' : 'former_url';
        health.failed({ organizationId, webhookId }, code, REFUSED[code]);
        throw new Fault('gone');
      }
      const now = known.at.add({ milliseconds: Math.floor(elapsedMs() - known.readAt) });
      uses.set(known.webhook.id, now);
      if (known.formerHash !== null) formerUses.set(known.formerHash, now);
      return { webhook: known.webhook, now };
    },
    async flushUses() {
      await flush(uses, markUsed);
      await flush(formerUses, markFormerUsed);
    },
  };
}
