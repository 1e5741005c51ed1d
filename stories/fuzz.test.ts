import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { newKey } from '../src/keys/key.ts';
import { insertKey } from '../src/keys/store.ts';
import { newId } from '../src/kit/typeid.ts';
import { INTEGRATIONS } from '../src/moments/integrations/registry.ts';
import { createWebhook } from '../src/webhooks/actions.ts';
import { checkAnswer } from '../testing/fuzz/answers.ts';
import { type Description, operationsOf } from '../testing/fuzz/described-api.ts';
import { overTheWire, type WireAnswer } from '../testing/fuzz/over-the-wire.ts';
import { type FuzzRequest, type KnownThings, requestTo } from '../testing/fuzz/requests.ts';
import { seedOrganization } from '../testing/organization.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** `FUZZ_REQUESTS=200000 npm test -- stories/fuzz.test.ts` sends more requests; `FUZZ_SEED` repeats a run. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20_000);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** A few webhook types in each run, so that tokens and paths often belong together. */
const TYPES = [
  'custom',
  ...Array.from({ length: 3 }, (_, n) => INTEGRATIONS[(SEED + 7 * n) % INTEGRATIONS.length] ?? ''),
];
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const AT_ONCE = 25;
/** Enough to see the cause. */
const MANY = 10;
/** Far more than any of them needs on a busy machine. */
const HANGS_AFTER_MS = 60_000;

let t: Story;
let known: KnownThings;

before(async () => {
  t = await story({
    env: { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000', LOG_LEVEL: 'fatal' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
    }),
  });
  const others = await seedOrganization(
    t,
    { people: { eve: {} }, teams: { evil: { members: ['eve'], schedules: [{ stages: [['eve']] }] } } },
    'Evil',
  );
  const { id } = await t.db
    .selectFrom('schedules')
    .select('id')
    .where('organization_id', '=', t.acme.id)
    .executeTakeFirstOrThrow();
  const foreign = await t.db
    .selectFrom('schedules')
    .select('id')
    .where('organization_id', '=', others.id)
    .executeTakeFirstOrThrow();
  const request = String(
    (await t.post('/page/team', { recipient: 'sre', title: 'A', text: 'B' })).body.service_request_id,
  );
  known = {
    ids: {
      id: [id, request, foreign.id, t.acme.id, newId('request')],
      token: [...(await tokens()), ...(await sourceTokens())],
      integration: TYPES,
      type: TYPES,
    },
    keys: { good: t.acme.key, foreign: others.key, limited: await limitedKey() },
  };
});
after(async () => {
  t.receiver.inbox.takeAll();
  await t.end();
});

/** One webhook of each of these types, and one that requires signatures. */
async function tokens(): Promise<string[]> {
  const at = await t.clock.now(t.db);
  const made: string[] = [];
  for (const [type, signingSecret] of [
    ...TYPES.map((one) => [one, null] as const),
    ['custom', SECRET] as const,
  ]) {
    const { token } = await t.db.transaction().execute((tx) =>
      createWebhook(tx, at, t.sealing, {
        ...{
          organizationId: t.acme.id,
          teamId: t.acme.teams.sre ?? '',
          name: `${type} ${made.length}`,
          type,
        },
        ...{ expiresAt: null, signingSecret, settings: {}, createdBy: null },
      }),
    );
    made.push(token);
  }
  return made;
}

/** A page source of each of these types, one that requires signatures, and a heartbeat. */
async function sourceTokens(): Promise<string[]> {
  const made = TYPES.map((type) => t.source({ team: 'sre', type }));
  const heartbeat = t.source({ team: 'sre', type: 'heartbeat', intervalMinutes: 5 });
  const signed = t.source({ team: 'sre', signingSecret: SECRET });
  return (await Promise.all([...made, signed, heartbeat])).map(({ token }) => token);
}

async function limitedKey(): Promise<string> {
  const { key, hash, hint } = newKey();
  const owner = { organizationId: t.acme.id, userId: t.acme.users.ada ?? '' };
  const row = { id: newId('api_key'), ...owner, name: 'limited', hash, hint, scopes: [], expiresAt: null };
  await insertKey(t.db, t.clock, row);
  return key;
}

it(`answers ${REQUESTS} requests of every kind as documented (seed ${SEED})`, async () => {
  const description = (await (await fetch(`${t.url}/openapi.json`)).json()) as Description;
  const operations = operationsOf(description);
  assert.ok(operations.length >= 8, `${operations.length} operations`);
  const anything = fc.oneof(...operations.map((operation) => requestTo(operation, known)));
  const counts = new Map<string, number>();
  const complaints: string[] = [];
  for (let batch = 0; batch * AT_ONCE < REQUESTS && complaints.length < MANY; batch++) {
    const requests = fc.sample(anything, { numRuns: AT_ONCE, seed: SEED + batch });
    const found = await Promise.all(requests.map((request) => ask(request, counts)));
    complaints.push(...found.filter((complaint) => complaint !== null));
  }
  assert.deepEqual(complaints, []);
  for (const { name, answers } of operations)
    for (const status of Object.keys(answers).filter((one) => EXPECTED.has(one)))
      assert.ok((counts.get(`${name} ${status}`) ?? 0) > 0, `${name} was never answered ${status}`);
  assert.deepEqual(Object.keys(Object.prototype), []);
  assert.equal((await t.get('/readyz')).status, 200);
});

/** Answers that this many requests must include; otherwise they would all fail at the first check. */
const EXPECTED = new Set(['200', '400', '401', '404']);

async function ask(request: FuzzRequest, counts: Map<string, number>): Promise<string | null> {
  const { operation, method, url, headers, body } = request;
  try {
    const response = await inTime(answerTo(request));
    const status = response.statusCode;
    counts.set(`${operation.name} ${status}`, (counts.get(`${operation.name} ${status}`) ?? 0) + 1);
    checkAnswer(request, { status, headers: response.headers, text: response.body });
    return null;
  } catch (error) {
    const sent = body ? JSON.stringify(body.toString('latin1').slice(0, 500)) : 'no body';
    return `${(error as Error).message}: ${method} ${url} ${JSON.stringify(headers)} ${sent}`;
  }
}

async function answerTo(request: FuzzRequest): Promise<WireAnswer> {
  if (request.operation.elsewhere) return overTheWire(t.uploadUrl, request);
  const { url, headers, body } = request;
  const method = request.method as 'GET';
  return t.app.base.inject({ method, url, headers, ...(body ? { payload: body } : {}) });
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${HANGS_AFTER_MS} ms`)), HANGS_AFTER_MS);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
