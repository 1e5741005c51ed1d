import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { post, startUploads } from '../../testing/uploads.ts';

const HEADER = 'email,start_time,end_time,name\n';
const CSV = `${HEADER}ADA@Example.com,2026-12-24T08:00:00+01:00,2026-12-27T08:00:00Z,Christmas\ngrace@example.com,2026-12-31T00:00:00Z,,\n`;

const uploads = await startUploads({ after });

test('without acceptable headers, the answer names the required ones', async () => {
  const { key } = await uploads.acme();
  for (const [csv, reason] of [
    ['name,when\nx,y\n', 'the header row lacks email and start_time'],
    ['', 'the file is empty'],
    ['\u0000\u00ff', 'the header row lacks email and start_time'],
  ] as const) {
    const { status, json } = await uploads.send(key, csv, { commit: 'save' });
    assert.equal(status, 400);
    assert.deepEqual(json, {
      ok: false,
      message: `A CSV with acceptable headers is required (email, start_time and optionally end_time, name): ${reason}.`,
    });
  }
  const authorization = { authorization: `Bearer ${key}` };
  const form = new FormData();
  form.set('csv', CSV);
  for (const request of [{ body: form }, { body: new URLSearchParams({ commit: 'save' }) }, {}]) {
    const { status, json } = await post(uploads.url, { ...request, headers: authorization });
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(json), ['ok', 'message']);
    assert.match(json.message, /^A CSV with acceptable headers is required .*: .*"file".*\.$/);
  }
});

test('one email without a user refuses the whole upload', async () => {
  const { acme, key } = await uploads.acme();
  for (const commit of ['save', '']) {
    const { status, json } = await uploads.send(
      key,
      `${CSV}Nobody@example.com,2026-12-24T08:00:00Z,,x\nnobody@example.com,2026-12-24T08:00:00Z,,y\n`,
      { commit },
    );
    assert.equal(status, 400);
    assert.deepEqual(Object.keys(json).sort(), ['availabilities', 'invalid', 'message', 'ok']);
    assert.equal(json.ok, false);
    assert.equal(
      json.message,
      'The upload contains unmatched users, and nothing was saved: Nobody@example.com (row 4). Add them first, or correct their email addresses.',
    );
    assert.deepEqual(json.invalid, ['Nobody@example.com']);
    assert.equal(json.availabilities.length, 4);
    assert.deepEqual(json.availabilities[2], {
      name: 'x',
      email: 'Nobody@example.com',
      start_time: '2026-12-24T08:00:00.000Z',
      end_time: '2026-12-25T08:00:00.000Z',
      id: null,
      username: null,
    });
    assert.equal(await uploads.count(acme), 0);
  }
});

test('people of another organization and disabled people do not match', async () => {
  const { acme, key } = await uploads.acme();
  const other = await uploads.organization();
  const eve = await uploads.person(other, 'eve@example.com');
  await uploads.person(other, 'ada@example.com');
  await uploads.person(acme, 'gone@example.com', true);
  const rows = ['eve@example.com', 'gone@example.com', 'ada@example.com'].map(
    (email) => `${email},2026-01-01T00:00:00Z,,\n`,
  );
  const { status, json } = await uploads.send(key, HEADER + rows.join(''), { commit: 'save' });
  assert.equal(status, 400);
  assert.deepEqual(json.invalid, ['eve@example.com', 'gone@example.com']);
  const hers = await uploads.send(await uploads.key(other, eve), HEADER + rows[0], { commit: 'save' });
  assert.equal(hers.json.availabilities[0].organization_user_id, eve);
  const stored = await uploads.db
    .selectFrom('availabilities')
    .select(['organization_id', 'user_id'])
    .where('organization_id', 'in', [acme, other])
    .execute();
  assert.deepEqual(stored, [{ organization_id: other, user_id: eve }]);
});

test('all invalid rows are named, with the readable part of each', async () => {
  const { acme, key } = await uploads.acme();
  const { status, json } = await uploads.send(
    key,
    `${CSV}stranger@example.com,2026-01-02T00:00:00Z,2026-01-01T00:00:00Z,\n,2026-01-01,,\n`,
    { commit: 'save' },
  );
  assert.equal(status, 400);
  assert.equal(json.ok, false);
  assert.equal(
    json.message,
    'The upload contains unmatched users and has 4 problems in its rows, and nothing was saved; correct what the details name and send the file again.',
  );
  assert.deepEqual(
    json.details.map(({ field, row }: { field: string; row: number }) => [field, row]),
    [
      ['row 4, end_time', 4],
      ['row 5, email', 5],
      ['row 5, start_time', 5],
      ['row 4, email', 4],
    ],
  );
  assert.deepEqual(json.invalid, ['stranger@example.com']);
  assert.deepEqual(json.availabilities[3], {
    name: '',
    email: '',
    start_time: null,
    end_time: null,
    id: null,
    username: null,
  });
  assert.equal(await uploads.count(acme), 0);
});

test('an upload changed at random saves all of its rows or none, and never causes an internal error', async () => {
  const { acme, key } = await uploads.acme();
  const authorization = `Bearer ${key}`;
  const whole = Buffer.from(
    `--XX\r\nContent-Disposition: form-data; name="commit"\r\n\r\nsave\r\n--XX\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${CSV}\r\n--XX--\r\n`,
  );
  const change = fc.record({
    at: fc.nat({ max: whole.length }),
    remove: fc.nat({ max: 4 }),
    insert: fc.oneof(
      fc.uint8Array({ maxLength: 3 }),
      fc.constantFrom('"', ',', '\n', '\0').map((text) => Buffer.from(text)),
    ),
  });
  const types = fc.constantFrom(
    'multipart/form-data; boundary=XX',
    'application/x-www-form-urlencoded; boundary=XX',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), types, async (changes, type) => {
      let body = whole;
      for (const { at, remove, insert } of changes)
        body = Buffer.concat([body.subarray(0, at), insert, body.subarray(at + remove)]);
      await uploads.db.deleteFrom('availabilities').where('organization_id', '=', acme).execute();
      const headers = { authorization, 'content-type': type };
      const { status, json } = await post(uploads.url, { body: new Uint8Array(body), headers });
      assert.ok(status === 200 || status === 400, String(status));
      assert.equal(json.ok, status === 200);
      const saving = status === 200 && /created/.test(json.message);
      assert.equal(
        await uploads.count(acme),
        saving ? new Set(json.availabilities.map((one: { id: string }) => one.id)).size : 0,
      );
    }),
    { numRuns: 300 },
  );
});
