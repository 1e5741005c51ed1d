import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from 'kysely';
import { startUploads } from '../../testing/uploads.ts';

const HEADER = 'email,start_time,end_time,name\n';
const CSV = `${HEADER}ada@example.com,2026-12-24T08:00:00Z,,Christmas\n`;
const OTHER = `${HEADER}ada@example.com,2026-12-25T08:00:00Z,,Christmas\n`;

const uploads = await startUploads({ after });

async function start() {
  const acme = await uploads.organization();
  const ada = await uploads.person(acme, 'ada@example.com');
  const key = await uploads.key(acme, ada);
  const send = (csv: string, idempotencyKey: string, commit = 'save', credential = key) =>
    uploads.send(credential, csv, { commit, headers: { 'idempotency-key': idempotencyKey } });
  return { acme, ada, send };
}

test('the same key and file get the first answer again, byte for byte', async () => {
  const { acme, ada, send } = await start();
  const first = await send(CSV, 'one');
  assert.equal(first.json.message, '1 record was created.');
  await uploads.db.updateTable('users').set({ name: 'Ada Byron' }).where('id', '=', ada).execute();
  const again = await send(CSV, 'one');
  assert.equal(again.status, 200);
  assert.equal(again.text, first.text);
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
  const preview = await send(OTHER, 'two', '');
  assert.equal((await send(OTHER, 'two', '')).text, preview.text);
  assert.equal(await uploads.count(acme), 1);
});

test('the same key with a different file or commit is a conflict and changes nothing', async () => {
  const { acme, send } = await start();
  await send(CSV, 'one');
  for (const conflict of [await send(OTHER, 'one'), await send(CSV, 'one', '')]) {
    assert.equal(conflict.status, 409);
    assert.equal(conflict.json.error, 'Conflict');
    assert.equal(conflict.json.details[0].field, 'Idempotency-Key');
  }
  assert.equal(await uploads.count(acme), 1);
});

test('keys belong to their credential', async () => {
  const { acme, ada, send } = await start();
  await send(CSV, 'one');
  const other = await send(OTHER, 'one', 'save', await uploads.key(acme, ada));
  assert.equal(other.status, 200);
  assert.equal(await uploads.count(acme), 2);
});

test('a refused upload does not use up its key, so it can be corrected and sent again', async () => {
  const { acme, send } = await start();
  const csv = `${CSV}bob@example.com,2026-12-24T08:00:00Z,,\n`;
  assert.equal((await send(csv, 'one')).status, 400);
  await uploads.person(acme, 'bob@example.com');
  const mended = await send(csv, 'one');
  assert.equal(mended.status, 200);
  assert.equal(mended.json.message, '2 records were created.');
});

test('a key is forgotten after a day', async () => {
  const { acme, send } = await start();
  await send(CSV, 'one');
  await sql`update idempotency_keys set created_at = created_at - interval '24 hours 1 second' where organization_id = ${acme}`.execute(
    uploads.db,
  );
  const later = await send(OTHER, 'one');
  assert.equal(later.status, 200);
  assert.equal(await uploads.count(acme), 2);
  assert.equal((await send(OTHER, 'one')).text, later.text);
});

test('ten simultaneous repeats count as one', async () => {
  const { acme, send } = await start();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send(CSV, 'one')));
  assert.deepEqual(new Set(answers.map((answer) => answer.text)).size, 1);
  assert.equal(answers[0]?.json.message, '1 record was created.');
  assert.equal(await uploads.count(acme), 1);
});

test('a key that is empty or too long is refused in the format of this endpoint', async () => {
  const { acme, send } = await start();
  const { status, json } = await send(CSV, 'x'.repeat(256));
  assert.equal(status, 400);
  assert.equal(json.ok, false);
  assert.equal(json.message, 'Idempotency-Key has 256 characters; give 1 to 255.');
  assert.equal(await uploads.count(acme), 0);
});
