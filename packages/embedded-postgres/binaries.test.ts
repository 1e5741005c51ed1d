import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run, temporaryDataDir } from '../../testing/embedded.ts';
import { copyOfProgram } from '../../testing/embedded-copy.ts';
import { installedBinaries, platformPackage } from './binaries.ts';

test('npm brings PostgreSQL 18 for this machine', () => {
  assert.equal(installedBinaries().major, '18');
});

test('an installation that npm left half done says which command completes it', async (t) => {
  const { around, packageDirectory } = clone(t);
  rmSync(join(packageDirectory, 'native/lib/libicuuc.so.60'));
  const { message } = await run(t, { role: 'server', dataDir: temporaryDataDir(t) }, around).saw('failed');
  assert.match(message, new RegExp(`Run: npm rebuild --ignore-scripts=false ${platformPackage()}$`));
});

test('an installation without PostgreSQL says how to have one', async (t) => {
  const { around, packageDirectory } = clone(t);
  rmSync(packageDirectory, { recursive: true });
  const { message } = await run(t, { role: 'server', dataDir: temporaryDataDir(t) }, around).saw('failed');
  assert.match(message, /is not installed. Run npm install without --omit=optional, or set DATABASE_URL/);
});

function clone(t: TestContext) {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-clone-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  chmodSync(directory, 0o755);
  return {
    around: copyOfProgram(directory),
    packageDirectory: join(directory, 'node_modules', platformPackage()),
  };
}
