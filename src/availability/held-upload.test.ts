import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { eventually } from '../../testing/eventually.ts';
import { startUploads, type Uploads } from '../../testing/uploads.ts';
import { MAX_BODY_BYTES } from './body.ts';
import { removeLeftSpools } from './spool.ts';

const HEADER = 'email,start_time,end_time,name\n';
const RATE = { perSecond: 1_000, burst: 1_000 };

/** A client that declares how much it will send, sends `part` of it and waits. */
async function begin(
  t: TestContext,
  uploads: Uploads,
  key: string,
  part: string,
  length: number,
): Promise<Socket> {
  const { hostname: host, port } = new URL(uploads.url);
  const socket = connect(Number(port), host);
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(
    `POST /availabilities/upload?commit=save HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Type: multipart/form-data; boundary=XX\r\nContent-Length: ${length}\r\n\r\n${part}`,
  );
  await once(socket, 'connect');
  return socket;
}

const PART = `--XX\r\nContent-Disposition: form-data; name="file"\r\n\r\n${HEADER}`;

test('beyond the limit of uploads, the next gets 503 and the time to come back', async (t) => {
  const uploads = await startUploads(t, RATE, { uploads: 3, bytes: 1024 ** 3 });
  const { key } = await uploads.acme();
  const slow: Socket[] = [];
  for (let client = 0; client < 3; client++) slow.push(await begin(t, uploads, key, PART, 10_000));
  await eventually(async () => uploads.spooled(), 3);
  const refused = await uploads.send(key, HEADER);
  assert.equal(refused.status, 503);
  assert.equal(refused.json.error, 'Service Unavailable');
  assert.match(refused.json.details[0].message, /have reached their limit for now, and nothing was saved/);
  assert.equal(refused.headers.get('retry-after'), '10');

  slow[0]?.destroy();
  await eventually(async () => uploads.spooled(), 2);
  await eventually(async () => (await uploads.send(key, HEADER)).status, 200);
  for (const socket of slow) socket.destroy();
  await eventually(async () => uploads.spooled(), 0);
});

test('beyond the limit of bytes, the next gets 503, and an upload of unknown length counts as the largest', async (t) => {
  const uploads = await startUploads(t, RATE, { uploads: 100, bytes: MAX_BODY_BYTES + 1_000_000 });
  const { key } = await uploads.acme();
  const slow = await begin(t, uploads, key, PART, 1_000_001);
  await eventually(async () => uploads.spooled(), 1);
  const chunked = () =>
    fetch(uploads.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new Blob([`file=${encodeURIComponent(HEADER)}`]).stream(),
      duplex: 'half',
    } as RequestInit);
  assert.equal((await chunked()).status, 503);
  assert.equal((await uploads.send(key, HEADER)).status, 200, 'a small one has room');
  slow.destroy();
  await eventually(async () => (await chunked()).status, 200);
});

test('an upload whose client has disconnected is not saved, neither from the queue nor while it is processed', async (t) => {
  const uploads = await startUploads(t);
  const { acme, key } = await uploads.acme();
  const rows = Array.from(
    { length: 3_000 },
    (_, hour) => `ada@example.com,${new Date(1.8e12 + hour * 3.6e6).toISOString()},,\r\n`,
  );
  const body = `${PART}${rows.join('')}\r\n--XX--\r\n`;
  // One waits for the table while it is processed, the others for their turn.
  await uploads.db.transaction().execute(async (tx) => {
    await tx.selectFrom('availabilities').select('id').limit(1).execute();
    await uploads.lockRecords(tx);
    const sockets: Socket[] = [];
    for (let client = 0; client < 5; client++)
      sockets.push(await begin(t, uploads, key, body, Buffer.byteLength(body)));
    // The upload in progress has been read from the disk.
    await eventually(async () => uploads.spooled(), 4);
    for (const socket of sockets) socket.destroy();
    await eventually(async () => uploads.spooled(), 0);
  });
  assert.equal((await uploads.send(key, HEADER)).status, 200);
  assert.equal(await uploads.count(acme), 0);
});

test('a large answer waits on the disk for its reader, and its file is deleted afterwards', async (t) => {
  const uploads = await startUploads(t);
  const { key } = await uploads.acme();
  const rows = Array.from(
    { length: 20_000 },
    (_, hour) => `ada@example.com,${new Date(1.8e12 + hour * 3.6e6).toISOString()},,\n`,
  );
  const answer = await uploads.send(key, HEADER + rows.join(''));
  assert.equal(answer.json.availabilities.length, 20_000);
  await eventually(async () => uploads.spooled(), 0);
});

test('a start removes only files of ended processes from the disk', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tocsin-left-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const spool = (name: string) => join(dataDir, 'spool', name);
  const gone = spool(`${hostname()}-${2 ** 22 + 1}-abc123`);
  const ours = spool(`${hostname()}-${process.pid}-abc123`);
  const running = spool(`${hostname()}-${process.ppid}-abc123`);
  const elsewhere = spool('another-machine-1-abc123');
  for (const directory of [gone, ours, running, elsewhere]) {
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'file'), 'absences');
    // By the clock of this program, which may differ from the disk's.
    utimesSync(directory, new Date(), new Date());
  }
  await removeLeftSpools(dataDir);
  assert.deepEqual(
    [gone, ours, running, elsewhere].map((path) => existsSync(path)),
    [false, false, true, true],
  );
});
