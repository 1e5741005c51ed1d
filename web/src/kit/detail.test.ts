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
    assert.equal(plain(refusal().message), `starts_at ${said}`);
    assert.equal(plain(fieldError(refusal(), 'starts_at')), `it ${said}`);
  });

  it('keeps its times for viewers of a clock of 24 hours', () => {
    preferTimes({ zone: 'Europe/Berlin', clock: '24' });
    assert.match(refusal().message, /Mon 23 Nov 22:00 \(2026-11-23T21:00:00\.000Z/);
  });
});
