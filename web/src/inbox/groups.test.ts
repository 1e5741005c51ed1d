import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupsOf } from './groups.ts';

it('the inbox has notices about one thing together, in the order of their newest', () => {
  const notice = (id: number, path: string | null) => ({ id, path, read: false });
  const groups = groupsOf([
    notice(9, '/schedules/a'),
    notice(8, null),
    notice(7, '/pages/b'),
    notice(6, '/schedules/a'),
    notice(5, null),
    notice(4, '/schedules/a'),
  ]);
  assert.deepEqual(
    groups.map((group) => group.map(({ id }) => id)),
    [[9, 6, 4], [8], [7], [5]],
  );
});
