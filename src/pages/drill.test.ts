import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { asDrill } from './drill.ts';

describe('the content of a drill', () => {
  const body = { recipient: 'sre', title: 'Can you hear this?', text: 'Monthly drill.' };

  it('is marked as a drill in title and text', () => {
    const { title, text } = asDrill({ ...body, drill: true });
    assert.equal(title, 'Drill: Can you hear this?');
    assert.match(text, /^This is a drill\. Nothing is broken\..*\n\nMonthly drill\.$/s);
  });

  it('does not change other pages, or drills that were already marked', () => {
    assert.equal(asDrill(body), body);
    assert.deepEqual(asDrill({ ...body, drill: false }), { ...body, drill: false });
    const once = asDrill({ ...body, drill: true });
    assert.deepEqual(asDrill(once), once);
  });

  it('stays within the limits of a page, without breaking characters', () => {
    const { title, text } = asDrill({
      ...body,
      title: '🔥'.repeat(100),
      text: 'x'.repeat(10_000),
      drill: true,
    });
    assert.ok(title.length <= 200 && title.isWellFormed());
    assert.equal(text.length, 10_000);
  });

  it('refuses a dedup key, which could join it to a real page', () => {
    assert.throws(() => asDrill({ ...body, drill: true, dedup_key: 'disk' }), {
      details: [
        { field: 'drill', message: 'is true, but a drill has no dedup key; leave one of the two out' },
      ],
    });
  });
});
