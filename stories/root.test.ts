/** A server started by root continues as another user if that user can do its work. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { canEnter, postgresAccount, runningAsRoot } from '../packages/embedded-postgres/account.ts';
import { type CommandLine, commandLine, type Served } from '../testing/command-line.ts';
import { testDatabase } from '../testing/database.ts';
import { postmasterOf, stopLeftover } from '../testing/embedded.ts';
import { eventually } from '../testing/eventually.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/**
 * The user that runs the tests. If root runs them in a clone that others may not enter, the server has to stay root.
 */
const ourselves = process.getuid?.() ?? -1;
const canBecome = () => runningAsRoot() && canEnter(postgresAccount(), ROOT);
const expected = () => (canBecome() ? postgresAccount().uid : ourselves);

/** The user ids of each thread of a process: real, effective, saved and file system. */
function usersOf(pid: number): number[] {
  if (!existsSync('/proc')) {
    const { stdout } = spawnSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' });
    return [Number(stdout)];
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return [...new Set((/^Uid:(.*)$/m.exec(status)?.[1] ?? '').trim().split(/\s+/).map(Number))];
}

async function isServed(served: Served): Promise<void> {
  await eventually(
    async () => (await fetch(`${served.url}/readyz`).catch(() => ({ status: 0 }))).status,
    200,
  );
}

function line(t: TestContext, databaseUrl: string | null): CommandLine {
  // Runs the source, because this is about who may read its files.
  const tocsin = commandLine(databaseUrl, ROOT);
  t.after(() => tocsin.remove());
  return tocsin;
}

test('with the embedded database: its owner runs the server, restarts it, and owns the files', {
  timeout: 300_000,
}, async (t) => {
  const tocsin = line(t, null);
  const dataDir = tocsin.env.DATA_DIR ?? '';
  t.after(() => stopLeftover(dataDir));
  const env = { SECRET_KEY: '' };
  for (const start of ['first', 'second']) {
    const served = await tocsin.serve(env);
    assert.deepEqual(usersOf(served.pid), [expected()], `${start}: ${served.said()}`);
    assert.equal(/changed from root to an unprivileged user/.test(served.said()), canBecome());
    const first = postmasterOf(dataDir) ?? 0;
    process.kill(first, 'SIGKILL');
    const restarted = eventually(async () => ![first, undefined].includes(postmasterOf(dataDir)), true);
    await restarted.catch(() => assert.fail(`PostgreSQL was not restarted: ${served.said()}`));
    await isServed(served);
    for (const name of ['.', 'secret.key', 'vapid.json', 'postgres.log', 'postgres/PG_VERSION'])
      if (canBecome()) assert.equal(statSync(join(dataDir, name)).uid, expected(), name);
    // A command run by root finds the server's database and leaves no file that the server cannot read.
    assert.equal((await tocsin.run(['doctor'], { env })).stderr, '');
    await served.stop();
    assert.equal(existsSync(join(dataDir, 'server.pid')), false);
    assert.equal(postmasterOf(dataDir), undefined);
  }
  assert.match((await tocsin.run(['secret', 'rotate'], { env })).stdout, /^0 values are sealed/);
  if (canBecome()) assert.equal(statSync(join(dataDir, 'secret.key')).uid, expected());
});

test('with an external database: the owner of DATA_DIR', { timeout: 120_000 }, async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const tocsin = line(t, database.url);
  const served = await tocsin.serve();
  assert.deepEqual(usersOf(served.pid), [expected()], served.said());
  await isServed(served);
  await served.stop();
});

test('a server that runs at a low priority, and may not raise it, processes large uploads', {
  timeout: 120_000,
}, async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const tocsin = line(t, database.url);
  const input = 'organization: { name: Acme }\nusers: [{ email: ada@example.com, name: Ada, role: owner }]\n';
  await tocsin.run(['apply', '-'], { input });
  const key = await tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', 'uploads']);
  const served = await tocsin.serve();
  await isServed(served);
  // As under `nice`: threads inherit it.
  setPriority(served.pid, 15);
  const row = (day: number) => `ada@example.com,${new Date(1.9e12 + day * 8.64e7).toISOString()},,Away`;
  const rows = Array.from({ length: 5_000 }, (_, day) => row(day));
  const form = new FormData();
  form.set('file', new Blob([`email,start_time,end_time,name\n${rows.join('\n')}\n`]), 'absences.csv');
  const uploads = /"uploads":"([^"]+)"/.exec(served.said())?.[1];
  const answer = await fetch(`${uploads}/availabilities/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.stdout.trim()}` },
    body: form,
  });
  assert.equal(answer.status, 200, `${await answer.text()} ${served.said()}`);
  await served.stop();
});

test('if that user could not run the service, the server stays root, works, and gives the reason', {
  timeout: 120_000,
}, async (t) => {
  const database = await testDatabase();
  t.after(() => database.drop());
  const tocsin = line(t, database.url);
  // A folder that others write to must not change its owner.
  chmodSync(tocsin.env.DATA_DIR ?? '', 0o777);
  const served = await tocsin.serve();
  assert.deepEqual(usersOf(served.pid), [ourselves]);
  const why = /the service continues as root, because (DATA_DIR .* holds more than|\S+ may not)/;
  assert.equal(why.test(served.said()), runningAsRoot(), served.said());
  await isServed(served);
  await served.stop();
});
