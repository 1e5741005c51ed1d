import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dueLead, endingWords } from './ending.ts';

const NOON = Temporal.Instant.from('2026-11-20T12:00:00Z');
const inHours = (hours: number) => NOON.add({ hours });

describe('the notice before the end of a URL', () => {
  const days = (endsInHours: number, madeHoursAgo = 10_000) =>
    dueLead({ since: inHours(-madeHoursAgo), endsAt: inHours(endsInHours) }, NOON)?.days ?? null;

  it('is due seven days and one day before', () => {
    assert.deepEqual(
      [7 * 24 + 1, 7 * 24, 25, 24, 1, 0, -1].map((hours) => days(hours)),
      [null, 7, 7, 1, 1, null, null],
    );
  });

  it('is not sent if the URL was created with that little time', () => {
    assert.equal(days(100, 7 * 24 - 100), null);
    assert.equal(days(100, 7 * 24 - 99), 7);
    assert.equal(days(20, 4), null);
    assert.equal(days(20, 5), 1);
  });

  it("names the URL, its end in the reader's zone, and the consequence", () => {
    const url = {
      ...{ webhookId: 'source_1', organizationId: 'o', teamId: 't', teamName: 'SRE' },
      ...{ name: 'Prometheus', pages: true, former: false, since: NOON, endsAt: inHours(24) },
    };
    const day = { days: 1, words: () => 'within a day' } as const;
    const { subject, text } = endingWords(url, day, 'Europe/Berlin');
    assert.equal(subject, 'The URL of the source “Prometheus” of SRE ends within a day');
    assert.match(
      text,
      /ends on Saturday.* 21 November 2026 at 13:00 \(Europe\/Berlin\)\. .* refused and page nobody\./,
    );
    assert.match(endingWords({ ...url, former: true }, day, 'UTC').text, /give the new URL to its sender\.$/);
  });
});
