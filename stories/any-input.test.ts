import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { createWebhook } from '../src/webhooks/actions.ts';
import { CODE_POINT } from '../testing/code-point.ts';
import { type Answer, type Story, story, webhookPeople } from '../testing/story.ts';
import { WEB_URL } from '../testing/web-url.ts';

/** Any text, including control characters and lone surrogates. */
const text = fc.oneof(
  fc.string({ unit: CODE_POINT }),
  fc.string({ unit: fc.constantFrom('\ud83d', '\ude00', '\0', 'a') }),
);
const url = fc.oneof(
  WEB_URL,
  text.map((end) => `https://example.com/${end}`),
);
const anything = fc.oneof(text, fc.jsonValue({ stringUnit: CODE_POINT }));
const urgency = fc.constantFrom('low', 'medium', 'high');
const good = fc.record({
  recipient: fc.constant('sre'),
  title: fc.string({ unit: CODE_POINT, minLength: 1, maxLength: 100 }),
  text: fc.string({ unit: CODE_POINT, minLength: 1 }),
  source_url: url,
  urgency,
});
const bad = fc.record(
  { recipient: anything, title: anything, text: anything, source_url: anything, urgency: anything },
  { requiredKeys: [] },
);
const page = fc.oneof(
  good,
  bad,
  fc.tuple(good, bad).map(([one, other]) => ({ ...one, ...other })),
);

let t: Story;
before(async () => {
  t = await story({
    env: { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' },
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
    }),
  });
});
after(async () => {
  await t.settle();
  t.receiver.inbox.takeAll();
  await t.end();
});

function checkAnswer({ status, body }: Answer): void {
  assert.ok(status === 200 || (status >= 400 && status < 500), `${status} ${JSON.stringify(body)}`);
  if (status === 400)
    for (const { field, message } of body.details as { field: string; message: string }[])
      assert.ok(field !== '' && message !== '' && message.length < 400, `${field} ${message}`);
}

it('answers any page with 200 or a refusal with the reason', async () => {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('team', 'person'), fc.oneof(page, anything), async (kind, body) => {
      const answer = await t.post(`/page/${kind}`, body === undefined ? {} : JSON.stringify(body));
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      checkAnswer(answer);
    }),
    { numRuns: 400 },
  );
  assert.ok((statuses.get(200) ?? 0) > 10, 'some of them are pages');
});

it('accepts a text that was cut within an emoji, and delivers it', async () => {
  await t.settle();
  t.receiver.inbox.takeAll();
  const answer = await t.post(
    '/page/team',
    `{"recipient":"sre","title":"Disk full \\ud83d","text":"\\ude00 \\ud83d\\ude00"}`,
  );
  assert.equal(answer.status, 200);
  await t.settle();
  const [webhook] = await t.notified('ada');
  assert.deepEqual([webhook?.body.title, webhook?.body.text], ['Disk full \ufffd', '\ufffd 😀']);
});

it('answers any moment with 200 or a refusal, and processes accepted ones', async () => {
  const at = await t.clock.now(t.db);
  const { token } = await t.db.transaction().execute((tx) =>
    createWebhook(tx, at, t.sealing, {
      ...{ organizationId: t.acme.id, teamId: t.acme.teams.sre ?? '', name: 'Any', type: 'custom' },
      ...{ expiresAt: null, signingSecret: null, settings: {}, createdBy: null },
    }),
  );
  const type = fc.constantFrom('alert', 'Incident', 'near-miss', 'page');
  const fine = fc.record({ name: text, type, description: text, source: text, source_url: url });
  const poor = fc.record(
    { name: anything, type: anything, description: anything, occurred_at: anything, priority: anything },
    { requiredKeys: [] },
  );
  const authorizations = fc.constantFrom({}, { authorization: '' });
  const taken: string[] = [];
  await fc.assert(
    fc.asyncProperty(fc.oneof(fine, poor, anything), authorizations, async (moment, headers) => {
      const answer = await t.post(`/moment/${token}`, JSON.stringify(moment), headers);
      checkAnswer(answer);
      if (answer.status === 200) taken.push(String(answer.body.service_request_id));
    }),
    { numRuns: 400 },
  );
  assert.ok(taken.length > 10, 'some of them are moments');
  await t.settle();
  for (const id of taken) assert.equal((await t.status(id)).status, 'succeeded');
});

it('answers any read with 200 or a refusal', async () => {
  const parameter = fc.constantFrom(
    'name_eq',
    'page',
    'per_page',
    'time_range[start]',
    'time_range[end]',
    'time_range',
    'wait',
    'x',
  );
  const query = fc.array(
    fc.tuple(parameter, fc.oneof(text, fc.integer().map(String), fc.constant('2026-11-20T09:00:00Z'))),
  );
  const path = fc.oneof(
    fc.constant('/schedules'),
    text.map((id) => `/schedules/${encodeURIComponent(id.toWellFormed())}/oncalls`),
    text.map((id) => `/request/${encodeURIComponent(id.toWellFormed())}/status`),
  );
  await fc.assert(
    fc.asyncProperty(path, query, async (path, parameters) => {
      checkAnswer(await t.get(`${path}?${new URLSearchParams(parameters)}`));
    }),
    { numRuns: 300 },
  );
});
