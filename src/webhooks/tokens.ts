import { NotConnected } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { type Sealing, sha256 } from '../kit/sealing.ts';
import { createShortMemory } from '../kit/short-memory.ts';
import { stored } from '../language/contract.ts';
import type { WebhookHealth } from './health.ts';
import {
  type FoundWebhook,
  findSourceByKey,
  findWebhook,
  markFormerUsed,
  markUsed,
  type Refusal,
} from './store.ts';
import type { Webhook } from './webhook.ts';

/** 256 bits in base64url, as `randomToken` makes them. Other strings are refused without a query. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** What a URL does: `moment` records moments, `page` pages people. */
export type Door = 'moment' | 'page';

export type Arrival = {
  webhook: Webhook;
  /** The database's time, extrapolated from the last query; never ahead of it. */
  now: Temporal.Instant;
};

export type WebhookTokens = {
  /**
   * Finds the webhook of a token that was called from `address`. A call that is `unnoted` leaves no trace: it does
   * not count as a use of the token, or as a problem when the token has ended.
   * @throws Fault 404 when the token is unknown, revoked, replaced at once, of the other door or of another organization
   * than `organizationId`, and 410 when it has expired; neither gives a reason, and both cost the same query
   * @throws NotConnected when a lifeboat does not know the token, which may be newer than its copy of the configuration
   */
  resolve(
    token: string,
    door: Door,
    from?: { organizationId?: string; address?: string; unnoted?: boolean },
  ): Promise<Arrival>;
  /**
   * Finds the page source of a key by the key's hash (`sources/key.ts`).
   * @throws Fault like `resolve`
   */
  resolveKey(keyHash: Buffer, of?: { address?: string; unnoted?: boolean }): Promise<Arrival>;
  /** Writes the last-used times collected since the previous flush. */
  flushUses(): Promise<void>;
};

type Known = {
  webhook: Webhook;
  refusal: Refusal | null;
  gone: boolean;
  /** The base64 hash of the token if it was replaced by a rotation; otherwise null. */
  formerHash: string | null;
  at: Temporal.Instant;
  readAt: number;
};

const REFUSED: Record<Refusal, { webhook: string; source: string }> = {
  expired: {
    webhook: stored('Calls still arrive, although the webhook has expired.'),
    source: stored('Calls still arrive, although the page source has expired.'),
  },
  former_url: {
    webhook: stored(
      'Calls still arrive at a former URL of the webhook, which ended after the webhook got a new one.',
    ),
    source: stored(
      'Calls still arrive at a former URL of the page source, which ended after the page source got a new one.',
    ),
  },
  revoked: {
    webhook: stored('Calls still arrive, although the webhook was revoked.'),
    source: stored('Calls still arrive, although the page source was revoked.'),
  },
};

/**
 * `elapsedMs` is a monotonic clock of this process: it times the cache and extrapolates the database's time. `health`
 * records calls to URLs that have ended. `isStandBy`: `db` is the database of a lifeboat.
 */
export function createWebhookTokens(
  db: Database,
  clock: Clock,
  sealing: Sealing,
  {
    elapsedMs = () => performance.now(),
    health,
    isStandBy = false,
  }: { elapsedMs?: () => number; health: WebhookHealth; isStandBy?: boolean },
): WebhookTokens {
  // Only usable tokens are cached: a new webhook must work at once, and an expired token must cost the same query as an
  // unknown one.
  const memory = createShortMemory<Known | null>(
    (known) => known !== null && known.refusal === null,
    elapsedMs,
  );
  const uses = new Map<string, Temporal.Instant>();
  const formerUses = new Map<string, Temporal.Instant>();

  type Find = (db: Database, clock: Clock, hash: Buffer) => Promise<FoundWebhook | null>;

  async function read(find: Find, hash: Buffer): Promise<Known | null> {
    const row = await find(db, clock, hash);
    if (!row && isStandBy) throw new NotConnected();
    if (!row) return null;
    const { id, organizationId, type, signingSecretSealed, pages, refusal, gone, former, at } = row;
    const signingSecret = signingSecretSealed && sealing.open(signingSecretSealed);
    const webhook = { id, organizationId, type, signingSecret, pages };
    const formerHash = former ? hash.toString('base64') : null;
    return { webhook, refusal, gone, formerHash, at, readAt: elapsedMs() };
  }

  function lookUp(find: Find, hash: Buffer): Promise<Known | null> {
    return memory.get(`${find.name} ${hash.toString('base64')}`, () => read(find, hash));
  }

  function arrival(known: Known | null, address?: string, unnoted = false): Arrival {
    if (!known) throw new Fault('not_found');
    const { refusal, webhook } = known;
    if (refusal !== null) {
      const reason = REFUSED[refusal][webhook.pages ? 'source' : 'webhook'];
      if (!unnoted) health.failed({ ...webhook, webhookId: webhook.id }, refusal, reason, address);
      throw new Fault(known.gone ? 'gone' : 'not_found');
    }
    const now = known.at.add({ milliseconds: Math.floor(elapsedMs() - known.readAt) });
    if (unnoted) return { webhook: known.webhook, now };
    uses.set(known.webhook.id, now);
    if (known.formerHash !== null) formerUses.set(known.formerHash, now);
    return { webhook: known.webhook, now };
  }

  async function flush(noted: Map<string, Temporal.Instant>, write: typeof markUsed): Promise<void> {
    if (noted.size === 0) return;
    const batch = new Map(noted);
    noted.clear();
    await write(db, batch);
  }

  return {
    async resolve(token, door, { organizationId, address, unnoted } = {}) {
      const known = TOKEN.test(token) ? await lookUp(findWebhook, sha256(token)) : null;
      const foreign = organizationId !== undefined && known?.webhook.organizationId !== organizationId;
      const right = known && !foreign && known.webhook.pages === (door === 'page');
      return arrival(right ? known : null, address, unnoted);
    },
    resolveKey: async (keyHash, { address, unnoted } = {}) =>
      arrival(await lookUp(findSourceByKey, keyHash), address, unnoted),
    async flushUses() {
      await flush(uses, markUsed);
      await flush(formerUses, markFormerUsed);
    },
  };
}
