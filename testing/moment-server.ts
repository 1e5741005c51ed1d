import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { MovableClock } from '../src/db/clock.ts';
import { createDatabase, createPool, type Database } from '../src/db/database.ts';
import { createRotation, type Rotation } from '../src/db/turns.ts';
import { createListener } from '../src/http/listener.ts';
import { createKeys } from '../src/keys/authenticate.ts';
import { createBudgets } from '../src/keys/budget.ts';
import { newKey } from '../src/keys/key.ts';
import { insertKey } from '../src/keys/store.ts';
import type { FetchText } from '../src/kit/fetch-text.ts';
import { createLog, type Log } from '../src/kit/log.ts';
import { createSealing } from '../src/kit/sealing.ts';
import { newId } from '../src/kit/typeid.ts';
import { momentsOfRequest } from '../src/moments/store.ts';
import { createWebhook } from '../src/webhooks/actions.ts';
import { type ByteBudgets, createByteBudgets, KEPT_BYTES } from '../src/webhooks/byte-budget.ts';
import { momentPath } from '../src/webhooks/contract.ts';
import { createWebhookHealth, type WebhookHealth } from '../src/webhooks/health.ts';
import type { Paging } from '../src/webhooks/paging.ts';
import { type CallWorker, keepsWithin, processCalls } from '../src/webhooks/process.ts';
import type { Keeps } from '../src/webhooks/record.ts';
import { momentRoutes } from '../src/webhooks/routes.ts';
import { createWebhookTokens } from '../src/webhooks/tokens.ts';
import type { WebhookDefinition } from '../src/webhooks/webhook.ts';
import { testDatabase } from './database.ts';

/** For tests of webhooks that only record moments. */
const NO_SOURCES: Paging = {
  adapterFor: () => null,
  page: async () => ({ outcomes: new Map(), afterCommit() {} }),
};

type Answer = { status: number; headers: Headers; json: AnswerBody };
export type AnswerBody = {
  service_request_id?: string;
  response?: { success: boolean; message: string };
  warnings?: string[];
  error?: string;
  details?: { field: string; message: string }[];
};

type Organization = { id: string; teamId: string; userId: string };

/** The moment routes over real HTTP with a database of their own. Queued work runs when the test calls `work`. */
export type MomentServer = {
  db: Database;
  clock: MovableClock;
  log: Log;
  /** Health that the routes and the work record; it is written when the test flushes it. */
  health: WebhookHealth;
  /** Replaces requests to the internet. */
  fetchText: FetchText;
  fetchCertificate: FetchText;
  keeps: Keeps;
  paging: Paging;
  rotation: Rotation;
  busy: CallWorker['busy'];
  node(): number;
  url: string;
  acme: Organization;
  /** How often the routes have woken the worker. */
  wakes(): number;
  organization(name: string): Promise<Organization>;
  /** Creates a webhook and returns its id, token and path. */
  webhook(definition?: Partial<WebhookDefinition>): Promise<{ id: string; token: string; path: string }>;
  apiKey(owner?: Organization, scopes?: string[] | null): Promise<string>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Works until nothing is due. */
  work(): Promise<number>;
  flushUses(): Promise<void>;
  /** Lets the half second pass for which valid tokens are cached. */
  outliveTokenCache(): void;
  moments(requestId: string | undefined, organizationId?: string): ReturnType<typeof momentsOfRequest>;
  /** From now on, every query fails. */
  loseDatabase(): Promise<void>;
  close(): Promise<void>;
};

export async function startMomentServer(
  settings: {
    perSecond?: number;
    burst?: number;
    log?: Log;
    fetchText?: FetchText;
    isLow?: () => boolean;
    refusedBytes?: ByteBudgets;
    keptBytes?: ByteBudgets;
  } = {},
): Promise<MomentServer> {
  const test = await testDatabase();
  const pool = createPool({ connection: { connectionString: test.url }, max: 12, name: 'moment test' });
  const db = createDatabase(pool);
  const clock = new MovableClock();
  const log = settings.log ?? createLog('silent');
  const sealing = createSealing(Buffer.alloc(32, 7));
  let skippedMs = 0;
  const health = createWebhookHealth(db, clock);
  const tokens = createWebhookTokens(db, clock, sealing, {
    health,
    elapsedMs: () => performance.now() + skippedMs,
  });
  const budgets = createBudgets({
    perSecond: settings.perSecond ?? 1_000_000,
    burst: settings.burst ?? 1_000_000,
  });
  let wakes = 0;
  const listener = await createListener({
    config: { tls: null, trustProxy: false },
    log,
    bodyLimit: 256 * 1_024,
    names: null,
  });
  const wake = () => {
    wakes++;
  };
  const fetchText: FetchText =
    settings.fetchText ?? (async (asked) => ({ error: `no test expects a call of ${asked.href}` }));
  const fetchCertificate = fetchText;
  const isLow = () => settings.isLow?.() ?? false;
  const refused = settings.refusedBytes ? { refusedBytes: settings.refusedBytes } : {};
  const keeps = keepsWithin(settings.keptBytes ?? createByteBudgets(KEPT_BYTES), isLow);
  momentRoutes(listener, {
    db,
    clock,
    keys: createKeys(db, clock),
    budgets,
    tokens,
    health,
    wake,
    isLow,
    // No call is processed while a test sends.
    safety: { isPaced: false },
    ...refused,
  });
  await listener.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(listener.server.address() as AddressInfo).port}`;
  const acme = await addOrganization(db, 'Acme');
  let names = 0;

  const server: MomentServer = {
    ...{
      db,
      clock,
      log,
      health,
      keeps,
      paging: NO_SOURCES,
      node: () => 0,
      rotation: createRotation(),
      busy: null,
      fetchText,
      fetchCertificate,
      url,
      acme,
    },
    wakes: () => wakes,
    organization: (name) => addOrganization(db, name),
    async webhook(definition = {}) {
      const whole: WebhookDefinition = {
        ...{ organizationId: acme.id, teamId: acme.teamId, name: `Webhook ${++names}`, type: 'custom' },
        ...{ expiresAt: null, signingSecret: null, createdBy: null, ...definition },
      };
      const { id, token } = await db
        .transaction()
        .execute(async (tx) => createWebhook(tx, await clock.now(tx), sealing, whole));
      return { id, token, path: momentPath(token, whole.type) };
    },
    async apiKey(owner = acme, scopes = null) {
      const { key, hash, hint } = newKey();
      const { id: organizationId, userId } = owner;
      const row = { organizationId, userId, name: 'test', hash, hint, scopes, expiresAt: null };
      await insertKey(db, clock, { id: newId('api_key'), ...row });
      return key;
    },
    async post(path, body, headers = {}) {
      const text = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
      const answer = await fetch(url + path, {
        method: 'POST',
        body: new Uint8Array(Buffer.from(text as string)),
        headers: { 'content-type': 'application/json', ...headers },
      });
      return { status: answer.status, headers: answer.headers, json: (await answer.json()) as AnswerBody };
    },
    async work() {
      let total = 0;
      for (let handled = -1; handled !== 0; total += handled) handled = await processCalls(server, 1_000);
      return total;
    },
    flushUses: () => tokens.flushUses(),
    outliveTokenCache() {
      skippedMs += 500;
    },
    moments: (requestId, organizationId = acme.id) => momentsOfRequest(db, organizationId, requestId ?? ''),
    loseDatabase: () => pool.end(),
    async close() {
      await listener.close();
      if (!pool.ending) await db.destroy();
      await test.drop();
    },
  };
  return server;
}

async function addOrganization(db: Database, name: string): Promise<Organization> {
  const ids = { id: newId('organization'), teamId: newId('team'), userId: newId('organization_user') };
  const now = sql<Temporal.Instant>`now()`;
  const times = { created_at: now, updated_at: now };
  const organization_id = ids.id;
  await db
    .insertInto('organizations')
    .values({ id: ids.id, name, time_zone: 'UTC', ...times })
    .execute();
  await db
    .insertInto('teams')
    .values({ id: ids.teamId, organization_id, name: 'Team', slug: 'team', ...times })
    .execute();
  await db
    .insertInto('users')
    .values({
      ...{ id: ids.userId, organization_id, email: 'ada@example.com', name: 'Ada Lovelace', username: 'ada' },
      ...{ role: 'owner', time_zone: 'UTC', ...times },
    })
    .execute();
  return ids;
}
