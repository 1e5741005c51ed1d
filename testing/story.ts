import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, createApp } from '../src/app.ts';
import type { Role } from '../src/config/role.ts';
import { readConfig } from '../src/config.ts';
import { MovableClock } from '../src/db/clock.ts';
import { createLog } from '../src/kit/log.ts';
import { createSealing } from '../src/kit/sealing.ts';
import type { SourceDefinition } from '../src/sources/source.ts';
import { createAnswerCheck } from './answer-check.ts';
import { testDatabase } from './database.ts';
import { type ReceivedWebhook, type WebhookReceiver, webhookReceiver } from './fakes/webhook-receiver.ts';
import { freePort, leavePort, portAgain } from './free-port.ts';
import { type Organization, type OrganizationSpec, type Seeding, seedOrganization } from './organization.ts';
import { type SeededSource, seedSource } from './seeded-source.ts';

export type StoryOptions = {
  organization: OrganizationSpec | ((receiver: WebhookReceiver) => OrganizationSpec);
  env?: Record<string, string>;
  /** What the process does; default: everything. */
  role?: Role;
  /** True: the engine runs by itself, and the clock should not be moved. */
  automatic?: boolean;
  /**
   * True: what is sent faster than it is worked on has to wait. Default: only if the engine runs by itself, because
   * otherwise nothing is worked on while a story sends.
   */
  isPaced?: boolean;
  /** Interval of the heartbeat of event streams; default: 20 s. */
  beatMs?: number;
};

/**
 * A whole service on a database of its own, with a clock that the story moves. Its webhook receiver fails on anything
 * that the story did not expect.
 */
export type Story = Seeding & {
  app: App;
  clock: MovableClock;
  url: string;
  uploadUrl: string;
  acme: Organization;
  receiver: WebhookReceiver;
  /** Environment with which the command line uses the same installation. */
  commandEnv: Record<'DATABASE_URL' | 'SECRET_KEY' | 'DATA_DIR', string>;
  /** Works until nothing is due. */
  settle(): Promise<void>;
  /** Does something while no accepted page wakes the engine: its first step waits for `settle`. */
  asleep<T>(work: () => Promise<T>): Promise<T>;
  /** Moves the clock, then works until nothing is due. */
  advance(duration: Temporal.DurationLike): Promise<void>;
  get(path: string, key?: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** Pages a team or person, settles, and returns the request's id. */
  page(kind: 'team' | 'person', recipient: string, body?: Record<string, unknown>): Promise<string>;
  status(requestId: string): Promise<StatusResponse>;
  /** The metrics as Prometheus reads them. */
  metrics(): Promise<string>;
  /** Makes a page source, `custom` by default, of the team with this slug. */
  source(of: { team: string } & Partial<SourceDefinition>): Promise<StorySource>;
  /** Takes the notifications of these people, and fails if anybody received another one. */
  notified(...people: string[]): Promise<ReceivedWebhook[]>;
  acknowledge(webhook: ReceivedWebhook): Promise<Answer>;
  /** Resolves acknowledged pages, so that no acknowledgement times out in a later story. */
  resolveAcknowledged(): Promise<void>;
  /** Stops the service, moves the clock, and starts it again. */
  restart(down: Temporal.DurationLike): Promise<void>;
  end(): Promise<void>;
};

/** `path` and `url` are empty for dialects, which have a `key` instead. */
export type StorySource = SeededSource & { url: string };

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
export type StatusResponse = {
  status: string;
  success: boolean | null;
  message: string;
  attempts: number;
  errors: { at: string; message: string }[];
  next_attempt_at: string | null;
  finished_at: string | null;
  page: {
    id: string;
    state: string;
    urgency: string;
    round: number;
    acknowledged_by: { email: string } | null;
    deliveries: {
      id: string;
      user: { email: string };
      channel: string;
      state: string;
      error: string | null;
      repeat: boolean;
      stage: number | null;
      round: number;
    }[];
  };
};

const METRICS_TOKEN = randomBytes(16).toString('hex');

export async function story(options: StoryOptions): Promise<Story> {
  const database = await testDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'tocsin-story-'));
  const masterKey = randomBytes(32);
  const sealing = createSealing(masterKey);
  const clock = new MovableClock();
  const receiver = await webhookReceiver();
  const ownPort = options.env?.PORT ?? null;
  // Browsers keep what they compiled of the dashboard for its origin.
  const port = Number(ownPort ?? (await portAgain()));
  const uploadPort = await freePort();
  const commandEnv = {
    DATABASE_URL: database.url,
    SECRET_KEY: masterKey.toString('base64'),
    DATA_DIR: dataDir,
  };
  const config = readConfig(
    {
      PORT: String(port),
      UPLOAD_PORT: String(uploadPort),
      ...commandEnv,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      LOG_LEVEL: 'error',
      METRICS_TOKEN,
      ...options.env,
    },
    options.role,
  );
  const answers = createAnswerCheck();
  const start = async () => {
    const started = await createApp({
      config,
      checkAnswer: answers.check,
      connection: { connectionString: database.url },
      log: createLog(config.logLevel),
      clock,
      automatic: options.automatic ?? false,
      isPaced: options.isPaced ?? options.automatic ?? false,
      // A slow machine must not look like a process that stood still.
      elapsedMs: () => 0,
      ...(options.beatMs ? { beatMs: options.beatMs } : {}),
    });
    await started.listen().catch(async (error: unknown) => {
      // Otherwise its connections would keep the process of the test alive.
      await started.stop();
      throw error;
    });
    return started;
  };
  let app = await start();
  const seeding = { db: app.db, clock, sealing };
  const spec =
    typeof options.organization === 'function' ? options.organization(receiver) : options.organization;
  const acme = await seedOrganization(seeding, spec);
  receiver.secret = acme.webhookSecret;

  const call = async (
    method: string,
    url: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : { text },
    };
  };
  let sources = 0;
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
  const json = { 'content-type': 'application/json' };

  const get: Story['get'] = (path, key = acme.key) => call('GET', config.publicUrl + path, bearer(key));
  const post: Story['post'] = (path, body, headers = {}) =>
    call('POST', config.publicUrl + path, { ...json, ...bearer(acme.key), ...headers }, body);

  return {
    get app() {
      return app;
    },
    get db() {
      return app.db;
    },
    sealing,
    clock,
    url: config.publicUrl,
    uploadUrl: config.uploadUrl,
    acme,
    receiver,
    commandEnv,
    settle: () => app.engine.drain(),
    async asleep(work) {
      const { engine } = app;
      const { wake, mayRunSteps } = engine;
      Object.assign(engine, { wake: () => undefined, mayRunSteps: () => false });
      try {
        return await work();
      } finally {
        Object.assign(engine, { wake, mayRunSteps });
      }
    },
    async advance(duration) {
      clock.advance(duration);
      await app.engine.drain();
    },
    get,
    post,
    async page(kind, recipient, body = {}) {
      const answer = await post(`/page/${kind}`, {
        recipient,
        title: 'Disk full',
        text: 'db-1 has no space left',
        ...body,
      });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      if (!options.automatic) await app.engine.drain();
      return String(answer.body.service_request_id);
    },
    async status(requestId) {
      const answer = await get(`/request/${requestId}/status`);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.response as StatusResponse;
    },
    async metrics() {
      const answer = await get('/metrics', METRICS_TOKEN);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return String(answer.body.text);
    },
    async source(of) {
      const made = await seedSource({ db: app.db, clock, sealing }, acme, {
        name: `Source ${++sources}`,
        ...of,
      });
      return { ...made, url: made.path && config.publicUrl + made.path };
    },
    async notified(...people) {
      const got: ReceivedWebhook[] = [];
      for (const person of people)
        got.push(await receiver.expect((webhook) => webhook.path === `/${person}`));
      receiver.assertNothingUnexpected();
      return got;
    },
    acknowledge: (webhook) =>
      call(
        'POST',
        webhook.body.acknowledge_url,
        { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
        '',
      ),
    async resolveAcknowledged() {
      const pages = await app.db
        .selectFrom('pages')
        .select('id')
        .where('state', '=', 'acknowledged')
        .execute();
      for (const { id } of pages)
        assert.equal((await post(`/api/pages/${id}/resolve`, {})).status, 200, `page ${id}`);
    },
    async restart(down) {
      await app.stop();
      clock.advance(down);
      app = await start();
    },
    async end() {
      try {
        receiver.assertNothingUnexpected();
        assert.deepEqual(answers.complaints, []);
      } finally {
        await app.stop();
        if (ownPort === null) leavePort(port);
        await receiver.stop();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    },
  };
}

/** People who are reached only by webhook, each at a path of their own. */
export function webhookPeople(receiver: WebhookReceiver, ...names: string[]): OrganizationSpec['people'] {
  return Object.fromEntries(
    names.map((name) => [name, { methods: [{ type: 'webhook' as const, value: receiver.url + name }] }]),
  );
}
