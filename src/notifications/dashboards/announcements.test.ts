import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createChangedRooms, type Rooms } from './announcements.ts';

it('sends the changed rooms of an organization together', async () => {
  const sent: [string, Rooms][] = [];
  const changed = createChangedRooms(async (organizationId, rooms) => {
    sent.push([organizationId, rooms]);
  });
  changed.announce('a', ['moments', 'notifications']);
  changed.announce('a', ['moments']);
  changed.announce('b', ['teams']);
  assert.deepEqual(sent, []);
  await changed.stop();
  assert.deepEqual(sent, [
    ['a', ['moments', 'notifications']],
    ['b', ['teams']],
  ]);
  changed.announce('a', ['moments']);
  await changed.stop();
  assert.equal(sent.length, 2, 'nothing is announced after the end');
});

it('ignores announcements that cannot be sent', async () => {
  const changed = createChangedRooms(async () => {
    throw new Error('the database is away');
  });
  changed.announce('a', ['moments']);
  await changed.stop();
});
