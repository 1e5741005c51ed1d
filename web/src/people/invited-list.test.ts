import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MOST_INVITED, readInvitees } from './invited-list.ts';

const read = (text: string) => readInvitees(text).people.map(({ email, name }) => [email, name]);

describe('a pasted list of people', () => {
  it('is read in the formats of mail programs, spreadsheets and people', () => {
    assert.deepEqual(
      read(
        [
          'Ada Lovelace <ada@example.com>',
          '"Hopper, Grace" <grace@example.com>; alan@example.com',
          'edsger@example.com, Edsger W. Dijkstra',
          'barbara@example.com\tBarbara Liskov',
          '',
          'a@example.com, b@example.com c@example.com',
        ].join('\n'),
      ),
      [
        ['ada@example.com', 'Ada Lovelace'],
        ['grace@example.com', 'Hopper Grace'],
        ['alan@example.com', ''],
        ['edsger@example.com', 'Edsger W. Dijkstra'],
        ['barbara@example.com', 'Barbara Liskov'],
        ['a@example.com', ''],
        ['b@example.com', ''],
        ['c@example.com', ''],
      ],
    );
  });

  it('invites nobody twice, and names unreadable lines', () => {
    const { people, problems } = readInvitees(
      'Ada@example.com\nAda <ada@EXAMPLE.com>\nGrace Hopper\ngrace@local',
    );
    assert.deepEqual(
      people.map(({ id }) => id),
      ['ada@example.com'],
    );
    assert.deepEqual(problems, [
      '“Grace Hopper” contains no complete email address.',
      '“grace@local” contains no complete email address.',
    ]);
  });

  it('has a limit', () => {
    const list = (count: number) =>
      Array.from({ length: count }, (_, index) => `p${index}@example.com`).join('\n');
    assert.deepEqual(readInvitees(list(MOST_INVITED)).problems, []);
    assert.deepEqual(readInvitees(list(MOST_INVITED + 1)).problems, [
      'You entered 51 people; the most at a time is 50. Invite the others afterwards.',
    ]);
  });
});
