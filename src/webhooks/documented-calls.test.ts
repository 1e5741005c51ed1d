import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { documentedBlocks } from '../../testing/documented-blocks.ts';
import { type AnswerBody, type MomentServer, startMomentServer } from '../../testing/moment-server.ts';
import { passedOn } from '../../testing/passed-on.ts';

const run = promisify(execFile);

/** The shell commands of a page of docs/integrations. */
const commands = (page: string) => documentedBlocks(`integrations/${page}`, 'sh');

describe('the documented commands', () => {
  let server: MomentServer;
  before(async () => {
    server = await startMomentServer();
  });
  after(() => server.close());

  async function answer(command: string | undefined, env: Record<string, string>): Promise<AnswerBody> {
    const { stdout } = await run('sh', ['-euc', command ?? 'false'], {
      env: { ...passedOn(), ...env },
    });
    return JSON.parse(stdout) as AnswerBody;
  }

  async function made(body: AnswerBody) {
    assert.equal(body.response?.success, true, JSON.stringify(body));
    await server.work();
    const [moment] = await server.moments(body.service_request_id);
    return moment;
  }

  it('for custom webhooks do what their page describes', async () => {
    const { path } = await server.webhook();
    const env = { WEBHOOK_URL: server.url + path, TOCSIN_KEY: await server.apiKey() };
    const [full, opens, ends, once, wrong, withKey, signed, ...others] = commands('custom');
    assert.deepEqual(others, []);
    const begun = await made(await answer(opens, env));
    assert.equal(begun?.state, 'open');
    const over = await made(await answer(ends, env));
    assert.deepEqual(
      [over?.id, over?.state, over?.name],
      [begun?.id, 'resolved', 'Replication to db-2 stopped'],
    );
    const moment = await made(await answer(full, env));
    assert.equal(moment?.type, 'near-miss');
    assert.equal(moment?.occurred_at, '2026-11-19T07:15:00.000Z');
    const first = await answer(once, env);
    assert.equal((await made(first))?.name, 'Nightly backup failed');
    assert.deepEqual(await answer(once, env), first);
    const refused = await answer(wrong, env);
    assert.equal(refused.error, 'Bad Request');
    assert.deepEqual(
      refused.details?.map(({ field }) => field),
      ['name', 'type'],
    );
    assert.equal((await made(await answer(withKey, env)))?.priority, 'low');
    const secret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const signing = await server.webhook({ signingSecret: secret });
    const secretEnv = { WEBHOOK_URL: server.url + signing.path, SIGNING_SECRET: secret };
    assert.equal((await made(await answer(signed, secretEnv)))?.type, 'incident');
    assert.equal((await answer(once, secretEnv)).error, 'Unauthorized');
  });

  it('for Alertmanager do what their page describes', async () => {
    const { path } = await server.webhook({ type: 'alertmanager' });
    const [sample, ...others] = commands('alertmanager');
    assert.deepEqual(others, []);
    const moment = await made(await answer(sample, { WEBHOOK_URL: server.url + path }));
    assert.equal(moment?.name, 'Disk of db-01 will be full in two hours');
    assert.equal(moment?.priority, 'high');
  });

  for (const [integration, name, priority] of [
    ['azure-monitor', 'CPU of shop on shop-vm-1', 'high'],
    ['better-stack', 'Shop homepage: Status 503', 'high'],
    ['checkly', 'Login page has failed', 'high'],
    ['cloudwatch', 'Shop 5xx', 'high'],
    ['datadog', 'Disk of db-01 is full', 'high'],
    ['github', 'checkout#87 Checkout loses baskets after deploy 2.42', 'high'],
    ['gitlab', 'invoices#23 Queue of invoices does not move', 'high'],
    ['google-cloud-monitoring', 'Checkout: p99 of requests', 'high'],
    ['grafana', 'node-17 has 3 % of its memory left', 'high'],
    ['honeycomb', 'Checkout answers slowly', 'high'],
    ['icinga2', 'disk on db-01 is CRITICAL', 'high'],
    ['incident-io', 'INC-214 Card payments are declined', 'high'],
    ['jira', 'OPS-311: Payments to two banks fail', 'high'],
    ['linear', 'INF-342 Search cluster is red', 'high'],
    ['nagios', 'Disk on db-01 is CRITICAL', 'high'],
    ['newrelic', 'Memory Used % > 90 for at least 2 minutes on db-01', 'high'],
    ['opsgenie', 'Replication lag on db-02 is above 60 s', 'high'],
    ['pagerduty', 'Checkout answers 12 % of calls with 502', 'high'],
    ['sentry', 'TimeoutError: payment gateway did not answer', 'high'],
    ['statuspage', 'Elevated errors of object storage in eu-central', 'high'],
    ['uptime-kuma', 'Shop is down', 'high'],
    ['zabbix', 'Disk /var is full on db-01', 'high'],
  ] as const) {
    it(`for ${integration} record the moment that its page describes`, async () => {
      const { path } = await server.webhook({ type: integration });
      const [sample, ...others] = commands(integration);
      assert.deepEqual(others, []);
      const moment = await made(await answer(sample, { WEBHOOK_URL: server.url + path }));
      assert.deepEqual([moment?.name, moment?.priority, moment?.state], [name, priority, 'open']);
    });
  }
});
