import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { Refusal } from '../api/call.ts';
import { fieldError } from './field-error.ts';
import { preferTimes } from './time-formats.ts';

/** Languages separate the hours from `am` by different spaces. */
const plain = (text: string | null) => text?.replace(/\s/g, ' ').toLowerCase();

describe('a refusal of the service', () => {
  afterEach(() => preferTimes(null));

  const refusal = () =>
    new Refusal(409, 'The service answered 409.', [
      {
        field: 'starts_at',
        message: 'overlaps the shift of Ben from Mon 23 Nov 22:00 (2026-11-23T21:00:00.000Z, UTC+01:00)',
      },
    ]);

  it('has its times in the clock of the viewer, below the field and as a whole', () => {
    preferTimes({ zone: 'Europe/Berlin', clock: '12' });
    const said = 'overlaps the shift of ben from mon 23 nov 10:00 pm (2026-11-23t21:00:00.000z, utc+01:00).';
    assert.equal(plain(refusal().message), `“from” ${said}`);
    assert.equal(plain(fieldError(refusal(), 'starts_at')), `it ${said}`);
  });

  it('names what it is about, which the service names as its API does', () => {
    const of = (message: string) => new Refusal(409, 'Conflict', [{ field: 'period', message }]).message;
    assert.equal(of('has changed; check it'), 'Pay period has changed; check it.');
    assert.equal(of('period has changed; check it.'), 'Pay period has changed; check it.');
    assert.equal(of('periodは確認後に変更されました。'), 'Pay periodは確認後に変更されました。');
    assert.equal(of('Nobody was on call.'), 'Nobody was on call.');
  });

  it('keeps its times for viewers of a clock of 24 hours', () => {
    preferTimes({ zone: 'Europe/Berlin', clock: '24' });
    assert.match(refusal().message, /Mon 23 Nov 22:00 \(2026-11-23T21:00:00\.000Z/);
  });

  it('names fields by their labels, and dates and instants as the viewer reads them', () => {
    preferTimes({ zone: 'Europe/Berlin', clock: '24' });
    const of = (field: string, message: string) => new Refusal(400, 'Bad Request', [{ field, message }]);
    assert.equal(
      fieldError(of('ends_at', 'is not after starts_at; give a later time'), 'ends_at'),
      'It is not after “From”; give a later time.',
    );
    assert.equal(
      of('ends_at', 'is in the past; past shifts cannot be changed').message,
      '“To” is in the past; past shifts cannot be changed.',
    );
    assert.equal(
      plain(fieldError(of('last', 'is 2026-09-01, which is before 2026-10-01; give a later day'), 'last')),
      'it is sep 1 2026, which is before oct 1 2026; give a later day.',
    );
    assert.equal(
      plain(fieldError(of('ends_at', 'is 2026-11-20T09:00:00.000Z; give a later time'), 'ends_at')),
      'it is fri nov 20 2026 10:00; give a later time.',
    );
    assert.equal(
      fieldError(of('from', 'is "2026-09-01"; give a day of a month'), 'from'),
      'It is "2026-09-01"; give a day of a month.',
    );
  });
});
