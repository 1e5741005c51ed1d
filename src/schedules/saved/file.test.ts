import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createSealing } from '../../kit/sealing.ts';
import {
  readSavedList,
  removeLeftDrafts,
  resealSavedList,
  SavedListFault,
  savedListPath,
  writeSavedList,
} from './file.ts';
import type { SavedList } from './list.ts';

const key = createSealing(randomBytes(32));
const other = createSealing(randomBytes(32));
const LIST: SavedList = {
  ...{ version: 1, saved_at: '2028-02-29T08:41:00Z', until: '2028-03-14T08:41:00Z', shortened: false },
  organizations: [{ id: 'organization_a', name: 'Canary of Acme', schedules: [] }],
  sessions: [
    {
      ...{ hash: 'canary', organizationId: 'organization_a', userId: 'user_ada', role: 'member' },
      endsAt: '2028-03-01T00:00:00Z',
    },
  ],
};

describe('the file of the saved list', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tocsin-saved-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is sealed, readable only by its owner, and replaced as a whole', async () => {
    assert.equal(await readSavedList(dataDir, key), null);
    await writeSavedList(dataDir, key, { ...LIST, sessions: [] });
    await writeSavedList(dataDir, key, LIST);
    assert.deepEqual(await readSavedList(dataDir, key), LIST);
    assert.equal(statSync(savedListPath(dataDir)).mode & 0o777, 0o600);
    assert.doesNotMatch(readFileSync(savedListPath(dataDir), 'latin1'), /canary/i);
    assert.deepEqual(readdirSync(dataDir), ['on-call.sealed']);
  });

  it('is refused with another key, when it was changed, and when another version wrote it', async () => {
    const refused = (sealing = key) =>
      assert.rejects(readSavedList(dataDir, sealing), (error: Error) => {
        assert.ok(error instanceof SavedListFault);
        return /cannot be opened with this secret key/.test(error.message);
      });
    await writeSavedList(dataDir, key, LIST);
    await refused(other);
    const path = savedListPath(dataDir);
    const bytes = readFileSync(path);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    await refused();
    writeFileSync(path, '');
    await refused();
    await writeSavedList(dataDir, key, { ...LIST, version: 2 as 1 });
    await refused();
    truncateSync(path, 65 * 1024 * 1024);
    await assert.rejects(readSavedList(dataDir, key), /larger than the list can be/);
  });

  it('keeps the old list when the new one cannot be written', async () => {
    await writeSavedList(dataDir, key, LIST);
    await assert.rejects(writeSavedList(join(dataDir, 'missing'), key, LIST), { code: 'ENOENT' });
    assert.deepEqual(await readSavedList(dataDir, key), LIST);
  });

  it('opens with the new key after a rotation, which ends its sessions', async () => {
    await resealSavedList(dataDir, key, other);
    assert.deepEqual(readdirSync(dataDir), []);
    await writeSavedList(dataDir, key, LIST);
    await resealSavedList(dataDir, key, other);
    assert.deepEqual(await readSavedList(dataDir, other), { ...LIST, sessions: [] });
    await resealSavedList(dataDir, key, other);
    assert.deepEqual(await readSavedList(dataDir, other), { ...LIST, sessions: [] });
  });

  it('leaves no drafts of processes that ended while they wrote', async () => {
    const [old, fresh] = ['on-call.sealed.1.aa', 'on-call.sealed.2.bb'].map((name) => join(dataDir, name));
    for (const path of [old, fresh]) writeFileSync(path ?? '', 'x');
    // Both times come from the clock of the tests, which may differ from the file system's.
    const [hourAgo, now] = [new Date(Date.now() - 3_600_000), new Date()];
    utimesSync(old ?? '', hourAgo, hourAgo);
    utimesSync(fresh ?? '', now, now);
    await removeLeftDrafts(dataDir);
    assert.deepEqual(readdirSync(dataDir), ['on-call.sealed.2.bb']);
  });
});
