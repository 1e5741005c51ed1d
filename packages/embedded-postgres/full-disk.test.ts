import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type EmbeddedProgram,
  postmasterOf,
  query,
  run,
  stopLeftover,
  until,
} from '../../testing/embedded.ts';

const MEGABYTE = 1024 * 1024;
const onSmallDisk = { skip: canMount() ? false : 'needs a small disk to fill, which only root may mount' };

test('a first start says that the disk is full, and works once there is space', onSmallDisk, async (t) => {
  const disk = smallDisk(t);
  disk.fill({ leaving: 30 * MEGABYTE });
  const refused = run(t, { role: 'server', dataDir: disk.dataDir });
  assert.match((await refused.saw('failed')).message, /^The disk that holds .* is full.* Free some space/);
  assert.equal(await refused.exit(), 1);

  disk.free();
  const server = run(t, { role: 'server', dataDir: disk.dataDir });
  await server.saw('running');
  assert.equal(await server.end(), 0);
});

test('so does a later start, which loses nothing', onSmallDisk, async (t) => {
  const disk = smallDisk(t);
  const first = run(t, { role: 'server', dataDir: disk.dataDir });
  await query((await first.saw('running')).connection, 'create table accepted as select 1 as page');
  await first.kill();
  await stopLeftover(disk.dataDir);
  disk.fill({ leaving: 0 });

  const { message } = await run(t, { role: 'server', dataDir: disk.dataDir }).saw('failed');
  assert.match(message, /^The disk that holds .* is full.* nothing that was accepted is lost/);
  assert.equal(postmasterOf(disk.dataDir), undefined);

  disk.free();
  const server = run(t, { role: 'server', dataDir: disk.dataDir });
  const { connection } = await server.saw('running');
  assert.deepEqual(await query(connection, 'select page from accepted'), [{ page: 1 }]);
  assert.equal(await server.end(), 0);
});

test('a disk that fills up meanwhile costs nothing that was committed', onSmallDisk, async (t) => {
  const disk = smallDisk(t);
  const server = run(t, { role: 'server', dataDir: disk.dataDir });
  const { connection } = await server.saw('running');
  const attempt = (statement: string) => query(connection, statement).then(succeeded, failed);
  await query(connection, 'create table accepted (page serial, body text)');
  disk.fill({ leaving: 4 * MEGABYTE });
  const words = `select string_agg(md5(random()::text), '') from generate_series(1, 20000)`;
  let committed = 0;
  while (await attempt(`insert into accepted (body) ${words}`)) committed++;
  assert.ok(committed > 0, 'there was room for some');

  // Without room for its log PostgreSQL cannot run at all; it is started again and again.
  disk.fill({ leaving: 0 });
  const log = `select pg_logical_emit_message(false, 'filler', repeat('x', ${8 * MEGABYTE}), true)`;
  await until(async () => !(await attempt(log)));
  await server.saw('crashed');
  await until(() => said(server).some((message) => message.startsWith('The disk that holds')));

  disk.free();
  await until(() => attempt(`insert into accepted (body) ${words}`));
  const [row] = await query(connection, 'select count(*)::int as pages from accepted');
  assert.equal(row?.pages, committed + 1);
  assert.equal(await server.end(), 0);
});

const succeeded = () => true;
const failed = () => false;

function said(program: EmbeddedProgram): string[] {
  return program.told.flatMap((event) => (event.event === 'log' ? [event.message] : []));
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const place = mkdtempSync(join(tmpdir(), 'tocsin-disk-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', place]).status === 0;
  if (mounted) spawnSync('umount', [place]);
  rmSync(place, { recursive: true });
  return mounted;
}

/** A disk of 160 MB with a DATA_DIR on it. */
function smallDisk(t: TestContext) {
  const place = mkdtempSync(join(tmpdir(), 'tocsin-disk-'));
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', place]);
  chmodSync(place, 0o711);
  const dataDir = join(place, 'data');
  const filler = join(place, 'filler');
  t.after(async () => {
    await stopLeftover(dataDir);
    spawnSync('umount', [place]);
    rmSync(place, { recursive: true, force: true });
  });
  const fill = ({ leaving }: { leaving: number }) => fillUp(filler, place, leaving);
  return { dataDir, fill, free: () => rmSync(filler) };
}

function fillUp(filler: string, place: string, leaving: number): void {
  const chunk = Buffer.alloc(64 * 1024);
  const file = openSync(filler, 'a');
  try {
    while (freeBytes(place) > leaving) writeSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(file);
  }
}

function freeBytes(place: string): number {
  const { bavail, bsize } = statfsSync(place);
  return bavail * bsize;
}
