import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { curl, post, startUploads } from '../../testing/uploads.ts';
import { MAX_FILE_BYTES } from './body.ts';

const HEADER = 'email,start_time,end_time,name\n';

test('a file over 10 MiB is 413, and the client gets the answer although it was still sending', async (t) => {
  const uploads = await startUploads(t);
  const { key } = await uploads.acme();
  const detail = {
    field: 'file',
    message: 'file is larger than 10 MiB; split it and upload the parts one after the other.',
  };
  for (const bytes of [MAX_FILE_BYTES + 1, 2 * MAX_FILE_BYTES, 6 * MAX_FILE_BYTES]) {
    const csv = HEADER.padEnd(bytes, '\n');
    const sent = await uploads.send(key, csv);
    assert.equal(sent.status, 413, String(bytes));
    assert.deepEqual(sent.json, { error: 'Payload Too Large', details: [detail] });
    const curled = await curl(t, csv, [
      '-H',
      `Authorization: Bearer ${key}`,
      '-F',
      'file=@absences.csv',
      uploads.url,
    ]);
    assert.equal(curled.status, 413, String(bytes));
  }
  const most = await uploads.send(key, HEADER.padEnd(MAX_FILE_BYTES, '\n'));
  assert.equal(most.status, 200);
});

test('a hundred thousand rows are saved in one run, and saved again without a change', async (t) => {
  const uploads = await startUploads(t);
  const acme = await uploads.organization();
  const people = Array.from({ length: 100 }, (_, index) => `person${index}@example.com`);
  const ids = [];
  for (const email of people) ids.push(await uploads.person(acme, email));
  const key = await uploads.key(acme, String(ids[0]));
  const rows = Array.from(
    { length: 100_000 },
    (_, index) =>
      `${people[index % 100]},${new Date(1.8e12 + index * 3.6e6).toISOString()},,"Shift ${index}"\n`,
  );
  const csv = HEADER + rows.join('');
  const first = await uploads.send(key, csv, { commit: 'save' });
  assert.equal(first.json.message, '100000 records were created.');
  assert.equal(first.json.availabilities.length, 100_000);
  assert.equal(first.json.availabilities[76_543].name, 'Shift 76543');
  assert.equal(first.json.availabilities[76_543].organization_user_id, ids[43]);
  assert.equal(await uploads.count(acme), 100_000);
  const again = await uploads.send(key, csv, { commit: 'save' });
  assert.equal(
    again.json.message,
    '0 records were created; 100000 had been saved before and stay as they are.',
  );
  assert.deepEqual(again.json.availabilities, first.json.availabilities);
  const more = await uploads.send(key, `${csv}${rows[0]}`, { commit: 'save' });
  assert.equal(more.status, 400);
  assert.deepEqual(more.json.details, [
    { field: 'file', message: 'file has more than 100,000 rows; split it.' },
  ]);
});

test('another content type is 415, another method 405, another path 404', async (t) => {
  const uploads = await startUploads(t);
  const { key } = await uploads.acme();
  for (const type of ['application/json', 'text/csv', 'multipart/mixed; boundary=x', 'nonsense']) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const { status, json } = await post(uploads.url, { body: '{}', headers });
    assert.equal(status, 415, type);
    assert.deepEqual(json, {
      error: 'Unsupported Media Type',
      details: [
        {
          field: 'Content-Type',
          message: `Content-Type is "${type}", which is not accepted here; send multipart/form-data or application/x-www-form-urlencoded with the CSV in the field "file".`,
        },
      ],
    });
  }
  const got = await fetch(uploads.url, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(got.status, 405);
  assert.equal(got.headers.get('allow'), 'POST');
  assert.equal((await fetch(new URL('/availabilities', uploads.url))).status, 404);
});

test('a key that sends too many requests gets the time to try again', async (t) => {
  const uploads = await startUploads(t, { perSecond: 0.001, burst: 2 });
  const { key } = await uploads.acme();
  const statuses = [];
  for (let call = 0; call < 3; call++) statuses.push((await uploads.send(key, HEADER)).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  const refused = await uploads.send(key, HEADER);
  assert.equal(refused.json.error, 'Too Many Requests');
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
});

test('a client that disconnects in the middle of its file saves nothing', async (t) => {
  const uploads = await startUploads(t);
  const { acme, key } = await uploads.acme();
  const { hostname, port } = new URL(uploads.url);
  const socket = connect(Number(port), hostname);
  const body = `--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\n${HEADER}ada@example.com,2026-01-01T00:00:00Z,,\r\n`;
  socket.write(
    `POST /availabilities/upload?commit=save HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=XX\r\nContent-Length: ${body.length + 8}\r\n\r\n${body}`,
  );
  socket.end();
  socket.resume();
  await once(socket, 'close');
  assert.equal((await uploads.send(key, HEADER)).status, 200);
  assert.equal(await uploads.count(acme), 0);
});
