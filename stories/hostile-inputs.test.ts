import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createWebhook } from '../src/webhooks/actions.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Texts that make a careless pattern backtrack: long runs that almost match. */
const EVIL: Record<string, (length: number) => string> = {
  blanks: (length) => `${' '.repeat(length)}x`,
  'letters and an at sign': (length) => `${'a'.repeat(length)}@`,
  'dots of an address': (length) => `a@${'a.'.repeat(length / 2)}`,
  digits: (length) => `+${'1'.repeat(length)}x`,
  'a URL of slashes': (length) => `http://${'/'.repeat(length)}`,
  dashes: (length) => `${'-'.repeat(length)}!`,
  'a time of digits': (length) => `2026-11-20T09:00:00.${'0'.repeat(length)}`,
  'brackets of Markdown': (length) => '['.repeat(length),
  'marks that follow a letter': (length) => `a${'\u0301'.repeat(length)}`,
  'line feeds': (length) => `${'\n'.repeat(length)}x`,
};
const SHORT = 1_000;
const LONG = 32_000;

describe('hostile inputs', () => {
  let t: Story;
  let ada: SignedIn;
  let token: string;
  before(async () => {
    t = await story({
      env: { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    ada = await signIn(t, 'ada');
    const at = await t.clock.now(t.db);
    const made = await t.db.transaction().execute((tx) =>
      createWebhook(tx, at, t.sealing, {
        ...{ organizationId: t.acme.id, teamId: t.acme.teams.sre ?? '', name: 'w', type: 'custom' },
        ...{ expiresAt: null, signingSecret: null, settings: {}, createdBy: null },
      }),
    );
    token = made.token;
  });
  after(() => t.end());

  const json = { 'content-type': 'application/json' };
  const asJson = (value: unknown) => ({ method: 'POST', headers: json, body: JSON.stringify(value) });
  const byKey = () => ({ authorization: `Bearer ${t.acme.key}` });

  /** Every kind of field that outsiders can fill freely. */
  const fields: Record<string, (text: string) => Promise<{ status: number }>> = {
    'a page': (text) =>
      t.post('/page/team', {
        recipient: text,
        title: text,
        text: `${text}\n`.repeat(2),
        source_url: text,
        urgency: text,
      }),
    'a moment': (text) =>
      fetch(
        `${t.url}/moment/${token}`,
        asJson({
          name: text,
          type: text,
          description: text,
          source: text,
          source_url: text,
          occurred_at: text,
        }),
      ),
    'a time range': async (text) => {
      const payload = { name_eq: text, time_range: { start: text, end: text }, page: text };
      const headers = { ...json, ...byKey() };
      const { statusCode } = await t.app.base.inject({ method: 'GET', url: '/schedules', headers, payload });
      return { status: statusCode };
    },
    'a sign-in': (text) =>
      fetch(`${t.url}/api/sign-in/password`, {
        ...asJson({ email: text, password: text }),
        headers: { ...json, 'sec-fetch-site': 'same-origin' },
      }),
    'a contact method': (text) => ada.call('POST', '/api/contact-methods', { type: 'phone', value: text }),
    'a chat name': (text) => ada.call('POST', '/api/contact-methods', { type: 'chat', value: text }),
    'an address': (text) => ada.call('POST', '/api/contact-methods', { type: 'email', value: text }),
    'a profile': (text) => ada.call('PATCH', '/api/profile', { name: text, time_zone: text, username: text }),
    'a schedule': (text) =>
      ada.call('POST', '/api/schedules', {
        ...{ team: 'sre', name: text, description: text, time_zone: text },
        ...{ shifts: { every: text, handoff: text }, stages: [{ stage: 1, members: [text] }] },
      }),
    'a pattern': (text) =>
      ada.call('POST', '/api/schedules', {
        team: 'sre',
        name: 'x',
        shifts: { rrule: `RRULE:FREQ=DAILY;${text}` },
        stages: [],
      }),
    'a cell': (text) =>
      fetch(`${t.uploadUrl}/availabilities/upload`, {
        method: 'POST',
        headers: { ...byKey(), 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ file: `email,start_time\n${text},${text}` }),
      }),
  };

  for (const [field, send] of Object.entries(fields))
    it(`${field}: takes time in proportion for 32 times the text`, async () => {
      for (const [name, text] of Object.entries(EVIL)) {
        const short = await quickest(() => send(text(SHORT)));
        // Only a long upload starts a thread, which has to load its modules. A harmless upload of the same size shows
        // how long that takes.
        const bytes = new URLSearchParams({ text: text(LONG) }).toString().length;
        const harmless = field === 'a cell' ? await quickest(() => send('a'.repeat(bytes))) : 0;
        const most = harmless + 150 * Math.max(short, 4);
        // Backtracking takes at least a thousand times as long, and does so every time. A busy machine does not.
        let long = Number.POSITIVE_INFINITY;
        for (let tries = 0; tries < 4 && long >= most; tries++)
          long = Math.min(long, await quickest(() => send(text(LONG))));
        assert.ok(
          long < most,
          `${name}: ${short.toFixed(1)} ms, then ${long.toFixed(1)} ms; harmless: ${harmless.toFixed(1)} ms`,
        );
      }
    });

  async function quickest(send: () => Promise<{ status: number }>): Promise<number> {
    let best = Number.POSITIVE_INFINITY;
    for (let run = 0; run < 2; run++) {
      const began = performance.now();
      const { status } = await send();
      best = Math.min(best, performance.now() - began);
      assert.ok(status < 500, `${status}`);
    }
    return best;
  }

  it('bombs: compressed bodies are not decompressed beyond their limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, ' '));
    for (const path of ['/page/team', `/moment/${token}`, '/schedules']) {
      const before = process.memoryUsage().rss;
      const response = await fetch(t.url + path, {
        method: 'POST',
        headers: { ...json, ...byKey(), 'content-encoding': 'gzip' },
        body: bomb,
      });
      assert.ok(response.status >= 400 && response.status < 500, `${path}: ${response.status}`);
      assert.ok(process.memoryUsage().rss - before < 100 * 1024 * 1024, path);
      await response.text();
    }
  });

  it('tables of 100,000 columns, cells of megabytes and a million parts are refused or read, and leave nothing behind', async () => {
    const columns = Array.from({ length: 100_000 }, (_, index) => `c${index}`).join(',');
    const form = (file: string) => new URLSearchParams({ file }).toString();
    const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
    const parts = { 'content-type': 'multipart/form-data; boundary=x' };
    const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n';
    for (const [name, headers, body] of [
      [
        'columns',
        urlencoded,
        form(`email,start_time,${columns}\nada@example.com,2026-12-01T00:00:00Z,${columns}`),
      ],
      [
        'a cell',
        urlencoded,
        form(`email,start_time,name\nada@example.com,2026-12-01T00:00:00Z,${'x'.repeat(5_000_000)}`),
      ],
      ['an open quote', urlencoded, form(`email,start_time\n"${'x'.repeat(5_000_000)}`)],
      ['parts', parts, `${part.repeat(100_000)}--x--\r\n`],
      ['header lines of a part', parts, `--x\r\n${'a: b\r\n'.repeat(200_000)}\r\n\r\n--x--\r\n`],
    ] as const) {
      const response = await fetch(`${t.uploadUrl}/availabilities/upload`, {
        method: 'POST',
        headers: { ...headers, ...byKey() },
        body,
      });
      assert.ok(
        response.status < 500,
        `${name}: ${response.status} ${(await response.text()).slice(0, 200)}`,
      );
    }
    assert.equal((await t.db.selectFrom('availabilities').select('id').execute()).length, 0);
  });

  it('none of it has changed the prototype of objects', () => {
    assert.deepEqual(Object.keys(Object.prototype), []);
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  it('an unknown key takes as long as one that begins like ours', async () => {
    const near = `${t.acme.key.slice(0, -1)}${t.acme.key.endsWith('A') ? 'B' : 'A'}`;
    const far = `tocsin_${'x'.repeat(32)}`;
    const times: Record<string, number[]> = { near: [], far: [] };
    for (let run = 0; run < 150; run++)
      for (const [name, key] of [
        ['near', near],
        ['far', far],
      ] as const) {
        // Each text is new, because look-ups are cached for a moment.
        const given = `${key.slice(0, -6)}${String(run).padStart(5, '0')}${key.at(-1)}`;
        const began = performance.now();
        assert.equal((await t.get('/schedules', given)).status, 401);
        times[name]?.push(performance.now() - began);
      }
    const median = (name: string) => times[name]?.sort((a, b) => a - b)[75] ?? 0;
    const ratio = median('near') / median('far');
    assert.ok(ratio > 0.5 && ratio < 2, `${ratio}`);
  });
});
