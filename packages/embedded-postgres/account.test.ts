import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import {
  type EmbeddedProgram,
  FORGETFUL,
  postmasterOf,
  query,
  run,
  stopLeftover,
  temporaryDataDir,
} from '../../testing/embedded.ts';
import { copyOfProgram } from '../../testing/embedded-copy.ts';
import { postgresAccount, runningAsRoot } from './account.ts';

const asRoot = { skip: runningAsRoot() ? false : 'only root can start PostgreSQL as another user' };
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('PostgreSQL runs as ourselves, or for root as an unprivileged user', async (t) => {
  const dataDir = temporaryDataDir(t);
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await server.saw('running');
  const owner = ownerOfPostmaster(dataDir);
  assert.equal(owner, postgresAccount().uid);
  assert.notEqual(owner, 0);
  await server.end();
});

test('a DATA_DIR that root had closed is opened for passing through, not for looking', asRoot, async (t) => {
  const dataDir = temporaryDataDir(t);
  mkdirSync(dataDir, { mode: 0o700 });
  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL });
  await server.saw('running');
  assert.equal(modeOf(dataDir), '711');
  await server.end();
});

test(
  'a DATA_DIR below a closed directory links to a database elsewhere, said once, and nothing above is changed',
  asRoot,
  async (t) => {
    const { dataDir, systemDirectory } = closedPlace(t);
    const options = { role: 'server', dataDir, systemDirectory, settings: FORGETFUL } as const;
    const first = run(t, options);
    const { connection } = await first.saw('running');
    await query(connection, 'create table kept (word text)');
    await first.end();
    const target = readlinkSync(join(dataDir, 'postgres'));
    assert.equal(dirname(dirname(target)), systemDirectory);
    assert.equal(modeOf(dirname(dataDir)), '700');
    const lines = said(first).filter((message) => message.includes(target));
    assert.deepEqual(
      lines.map((message) => /may not enter .* links to it/.test(message)),
      [false, true],
    );

    const second = run(t, options);
    await query((await second.saw('running')).connection, 'select * from kept');
    assert.equal(await second.end(), 0);
    assert.deepEqual(
      said(second).filter((message) => message.includes('may not enter')),
      [],
    );
  },
);

test('a DATA_DIR that was wiped never finds the database of its former life', asRoot, async (t) => {
  const { dataDir, systemDirectory } = closedPlace(t);
  const options = { role: 'server', dataDir, systemDirectory, settings: FORGETFUL } as const;
  const first = run(t, options);
  await query((await first.saw('running')).connection, 'create table former (word text)');
  await first.end();
  rmSync(dataDir, { recursive: true });

  const second = run(t, options);
  const { connection } = await second.saw('running');
  await assert.rejects(query(connection, 'select * from former'), /does not exist/);
  await second.end();
});

test(
  'a first start below a closed directory that is interrupted leaves nothing elsewhere',
  asRoot,
  async (t) => {
    const { dataDir, systemDirectory } = closedPlace(t);
    const options = { role: 'server', dataDir, systemDirectory, settings: FORGETFUL } as const;
    const first = run(t, options);
    await first.saw('log', 2);
    await first.kill();

    const second = run(t, options);
    await second.saw('running');
    await second.end();
    const clusters = readdirSync(systemDirectory).filter((name) => /^[0-9a-f]{16}$/.test(name));
    assert.equal(clusters.length, 1);
  },
);

test('a clone that only root may enter works, with its data inside or elsewhere', asRoot, async (t) => {
  const { dataDir, systemDirectory } = closedPlace(t);
  const clone = dirname(dataDir);
  const program = copyOfProgram(clone);
  for (const place of [dataDir, temporaryDataDir(t)]) {
    const server = run(t, { role: 'server', dataDir: place, systemDirectory, settings: FORGETFUL }, program);
    const { connection } = await server.saw('running');
    assert.deepEqual(await query(connection, 'select 1 as one'), [{ one: 1 }]);
    assert.equal(await server.end(), 0);
  }
  assert.equal(modeOf(clone), '700');
});

test(
  'an ordinary user runs everything, and root may help with commands, before, during and after',
  asRoot,
  async (t) => {
    const { around, dataDir } = ordinaryUser(t);
    const guest = () => run(t, { role: 'guest', dataDir, settings: FORGETFUL }).exit();
    const server = () => run(t, { role: 'server', dataDir, settings: FORGETFUL }, around);

    const first = server();
    await first.saw('running');
    assert.equal(modeOf(dataDir), '700');
    assert.equal(ownerOfPostmaster(dataDir), around.account.uid);
    assert.equal(await guest(), 0);
    assert.equal(await first.end(), 0);
    assert.equal(await guest(), 0);

    const second = server();
    await second.saw('running');
    assert.equal(await second.end(), 0);
  },
);

test('a command of root that comes first leaves a DATA_DIR that its owner can use', asRoot, async (t) => {
  const { around, dataDir } = ordinaryUser(t);
  mkdirSync(dataDir, { mode: 0o700 });
  chownSync(dataDir, around.account.uid, around.account.gid);
  assert.equal(await run(t, { role: 'guest', dataDir, settings: FORGETFUL }).exit(), 0);

  const server = run(t, { role: 'server', dataDir, settings: FORGETFUL }, around);
  await server.saw('running');
  assert.equal(await server.end(), 0);
});

test("somebody else's database is refused with who may use it", asRoot, async (t) => {
  const { around } = ordinaryUser(t);
  const dataDir = temporaryDataDir(t);
  assert.equal(await run(t, { role: 'guest', dataDir, settings: FORGETFUL }).exit(), 0);

  const { message } = await run(t, { role: 'server', dataDir, settings: FORGETFUL }, around).saw('failed');
  assert.match(message, /cannot be locked: .* the user that runs this must be the owner of DATA_DIR or root/);
});

/** Somebody with a clone and a directory of their own. */
function ordinaryUser(t: TestContext) {
  const account = postgresAccount();
  const clone = mkdtempSync(join(tmpdir(), 'tocsin-clone-'));
  t.after(() => rmSync(clone, { recursive: true, force: true }));
  chmodSync(clone, 0o755);
  return { around: { ...copyOfProgram(clone), account }, dataDir: temporaryDataDir(t, account) };
}

/** A DATA_DIR that PostgreSQL's user cannot reach, and a place that stands for /var/lib/tocsin. */
function closedPlace(t: TestContext): { dataDir: string; systemDirectory: string } {
  const parent = mkdtempSync(join(tmpdir(), 'tocsin-closed-'));
  chmodSync(parent, 0o711);
  const clone = join(parent, 'clone');
  mkdirSync(clone, { mode: 0o700 });
  const dataDir = join(clone, 'data');
  t.after(async () => {
    await stopLeftover(dataDir);
    rmSync(parent, { recursive: true, force: true, maxRetries: 5 });
  });
  return { dataDir, systemDirectory: join(parent, 'system') };
}

function said(program: EmbeddedProgram): string[] {
  return program.told.flatMap((event) => (event.event === 'log' ? [event.message] : []));
}

function ownerOfPostmaster(dataDir: string): number {
  const pid = postmasterOf(dataDir);
  return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
