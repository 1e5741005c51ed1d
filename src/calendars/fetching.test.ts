import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFetchDocument, type FetchDocument } from '../kit/fetch-text.ts';
import { CALENDAR_LIMITS, fetchCalendar } from './fetching.ts';

const careful = createFetchDocument({ ...CALENDAR_LIMITS, allowPrivate: false });
const START = new URL('https://calendar.example.com/x.ics');

/** A public host that redirects. The target of the redirect is really requested. */
function leadingTo(location: string): { fetchDocument: FetchDocument; asked: string[] } {
  const asked: string[] = [];
  const fetchDocument: FetchDocument = async (url, headers) => {
    asked.push(url.href);
    if (url.hostname === START.hostname) return { status: 302, text: '', etag: null, location };
    return careful(url, headers);
  };
  return { fetchDocument, asked };
}

describe('a calendar that has moved', () => {
  for (const inside of [
    'http://169.254.169.254/latest/meta-data/',
    'http://127.0.0.1:5432/',
    'http://[::ffff:10.0.0.1]/',
    'http://2130706433/',
    '//localhost:8080/',
  ])
    it(`to ${inside} is not followed to an internal address`, async () => {
      const { fetchDocument } = leadingTo(inside);
      const got = await fetchCalendar(fetchDocument, START, null);
      assert.ok(got !== 'unchanged' && 'error' in got, JSON.stringify(got));
    });

  it('to an address that is not on the web is not followed at all', async () => {
    for (const location of ['file:///etc/passwd', 'data:text/calendar,x', 'gopher://x/', 'http://']) {
      const { fetchDocument, asked } = leadingTo(location);
      const got = await fetchCalendar(fetchDocument, START, null);
      assert.ok(got !== 'unchanged' && 'error' in got, location);
      assert.deepEqual(asked, [START.href]);
    }
  });

  it('in a loop ends', async () => {
    const { fetchDocument, asked } = leadingTo(START.href);
    const got = await fetchCalendar(fetchDocument, START, null);
    assert.match(JSON.stringify(got), /redirects too often/);
    assert.equal(asked.length, 4);
  });
});
