import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type CommandLine, commandLine } from '../../testing/command-line.ts';

const example = new URL('../../examples/acme.yaml', import.meta.url).pathname;

/** Written by PostgreSQL for as long as it runs. */
const PID_FILE = 'postgres/postmaster.pid';

describe('without DATABASE_URL', { timeout: 600_000 }, () => {
  let tocsin: CommandLine;

  before(() => {
    tocsin = commandLine(null);
  });

  after(() => tocsin.remove());

  const isRunning = () => existsSync(join(tocsin.env.DATA_DIR ?? '', PID_FILE));

  it('a command that looks for something does not create the embedded database', async () => {
    const commands = [['doctor'], ['upgrade', '--check'], ['source', 'list'], ['backup', 'x']];
    for (const command of commands) {
      const { code, stdout, stderr } = await tocsin.run(command);
      assert.deepEqual([code, stdout], [1, ''], command.join(' '));
      assert.match(
        stderr,
        /^There is no database in DATA_DIR \S+; set DATA_DIR or DATABASE_URL as for the server\.$/m,
      );
    }
    assert.equal(existsSync(join(tocsin.env.DATA_DIR ?? '', 'postgres')), false);
  });

  it('a command creates the embedded database, and stops it afterwards', async () => {
    const applied = await tocsin.run(['apply', example]);
    assert.equal(applied.code, 0, applied.stderr);
    assert.match(applied.stdout, /^Acme: 11 added/m);
    assert.equal(isRunning(), false);
  });

  it('two simultaneous commands share it', async () => {
    const create = (name: string) =>
      tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', name]);
    const both = await Promise.all([create('one'), create('two')]);
    for (const ran of both) assert.match(ran.stdout, /^tocsin_\S+\n$/, ran.stderr);
    assert.equal(isRunning(), false);
  });

  it('while the server runs, commands use its database, and do not stop it', async () => {
    const server = await tocsin.serve();
    try {
      const key = await tocsin.run(['key', 'create', '--user', 'ada@example.com', '--name', 'three']);
      assert.equal(key.code, 0, key.stderr);
      const env = { TOCSIN_URL: server.url, TOCSIN_KEY: key.stdout.trim() };
      assert.match((await tocsin.run(['schedules'], { env })).stdout, /^Payments .*\nSRE /);
      assert.equal(isRunning(), true);
      const doctor = await tocsin.run(['doctor'], { env: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
      assert.equal(doctor.code, 0, doctor.stdout);
      assert.match(doctor.stdout, /^ok {2}database: PostgreSQL \S+ stores commits durably$/m);
      assert.match(doctor.stdout, /^ok {2}server: running: all on /m);
    } finally {
      await server.stop();
    }
    assert.equal(isRunning(), false);
  });
});
