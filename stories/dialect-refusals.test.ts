/** Senders of other products are refused with the errors that their clients understand. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client } from 'pg';
import { DIALECTS, type Dialect } from '../src/sources/contract.ts';
import { type Story, story } from '../testing/story.ts';

const MEBIBYTE = 1_024 * 1_024;
const BURST = 2;

type Call = { path: string; headers?: Record<string, string>; body: Record<string, unknown> };
type Got = { status: number; retryAfter: string | null; text: string };

/** For each API, a call that pages, and the field that can hold any number of bytes. */
function callOf(dialect: Dialect, key: string): Call & { padded: string; limit: number } {
  switch (dialect) {
    case 'pagerduty-events': {
      const payload = { summary: 'Disk full', source: 'db-1', severity: 'info' };
      const body = { routing_key: key, event_action: 'trigger', payload };
      return { path: '/v2/enqueue', body, padded: 'client', limit: MEBIBYTE };
    }
    case 'opsgenie-api': {
      const headers = { authorization: `GenieKey ${key}` };
      const body = { message: 'Disk full' };
      return { path: '/v2/alerts', headers, body, padded: 'description', limit: MEBIBYTE };
    }
    case 'victorops': {
      const body = { message_type: 'INFO', entity_id: 'disk' };
      const path = `/integrations/generic/20131114/alert/${key}/sre`;
      return { path, body, padded: 'state_message', limit: MEBIBYTE };
    }
    case 'goalert': {
      const body = { summary: 'Disk full', token: key };
      return { path: '/api/v2/generic/incoming', body, padded: 'details', limit: 5 * MEBIBYTE };
    }
    case 'grafana-oncall': {
      const body = { title: 'Disk full', state: 'alerting' };
      const path = `/integrations/v1/formatted_webhook/${key}/`;
      return { path, body, padded: 'message', limit: 5 * MEBIBYTE };
    }
  }
}

const THROTTLED: Record<Dialect, { status: number; text: RegExp }> = {
  'pagerduty-events': { status: 429, text: /"status":"throttle exceeded"/ },
  'opsgenie-api': { status: 429, text: /"message":"You are making too many requests!".*"took":/ },
  victorops: { status: 429, text: /"result":"failure","message":"/ },
  goalert: { status: 429, text: /^[^{"]+\n$/ },
  'grafana-oncall': { status: 429, text: /"detail":"/ },
};

/** The shape of an answer that refuses a call for another reason. */
const REFUSED: Record<Dialect, RegExp> = {
  'pagerduty-events': /"status":"invalid event","message":"Event object is invalid","errors":\["/,
  'opsgenie-api': /"message":".*"took":.*"requestId":"/,
  victorops: /"result":"failure","message":"/,
  goalert: /^[^{"]+\n$/,
  'grafana-oncall': /"detail":"/,
};

describe('a sender of another product is refused', () => {
  let t: Story;

  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '1', RATE_LIMIT_BURST: String(BURST), LOG_LEVEL: 'silent' },
      organization: { people: { ada: {} }, teams: { sre: { members: ['ada'] } } },
    });
  });
  after(() => t.end());

  /** A call to a new source, whose rate limit is unused. */
  async function newCall(type: Dialect): Promise<ReturnType<typeof callOf>> {
    const { key } = await t.source({ team: 'sre', type, name: `${type} ${Math.random()}` });
    return callOf(type, key ?? '');
  }
  async function send({ path, headers = {}, body }: Call): Promise<Got> {
    const answer = await fetch(t.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text };
  }

  for (const type of DIALECTS) {
    it(`by ${type} if it calls too often`, async () => {
      const call = await newCall(type);
      const answers: Got[] = [];
      // On a slow machine, the rate limit meanwhile earns a call a second.
      for (let sent = 0; sent < 100 && (answers.at(-1)?.status ?? 200) < 300; sent++)
        answers.push(...(await Promise.all(Array.from({ length: 2 * BURST }, () => send(call)))));
      const refused = answers.find(({ status }) => status >= 300);
      const { status, text } = THROTTLED[type];
      assert.equal(refused?.status, status);
      assert.match(refused?.text ?? '', text);
      assert.match(refused?.retryAfter ?? '', /^[1-9]\d*$/);
      assert.ok(answers.filter(({ status }) => status < 300).length >= BURST, 'as many as the budget has');
    });

    it(`by ${type} if the body is a byte too large`, async () => {
      const { padded, limit, ...call } = await newCall(type);
      const empty = JSON.stringify({ ...call.body, [padded]: '' }).length;
      const padding = (bytes: number) => ({ ...call.body, [padded]: 'x'.repeat(bytes - empty) });
      const whole = await send({ ...call, body: padding(limit) });
      assert.ok(whole.status < 300, `${whole.status} ${whole.text}`);
      const larger = await send({ ...call, body: padding(limit + 1) });
      assert.equal(larger.status, 413);
      assert.match(larger.text, REFUSED[type]);
    });
  }

  it('by all if the database is away, with a time after which to try again', async () => {
    const calls = new Map<Dialect, Call>();
    for (const type of DIALECTS) calls.set(type, await newCall(type));
    const url = new URL(t.app.config.databaseUrl ?? '');
    const name = url.pathname.slice(1);
    const operator = new Client({ connectionString: Object.assign(url, { pathname: '/postgres' }).href });
    await operator.connect();
    try {
      await operator.query(`alter database ${operator.escapeIdentifier(name)} with allow_connections false`);
      await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
        name,
      ]);
      for (const [type, call] of calls) {
        const { status, text, retryAfter } = await send(call);
        assert.equal(status, 503, `${type}: ${text}`);
        assert.match(text, REFUSED[type]);
        assert.equal(retryAfter, '2');
      }
    } finally {
      await operator.query(`alter database ${operator.escapeIdentifier(name)} with allow_connections true`);
      await operator.end();
    }
  });
});
