import assert from 'node:assert/strict';
import { it } from 'node:test';
import { facetQuery, wordQuery } from './search.ts';

it('finds every word by its beginning, inside names as well', () => {
  assert.equal(wordQuery(' Disk  full '), "'Disk':* & 'full':*");
  assert.equal(wordQuery('db-1.example.com:9100'), "'db':* & '1':* & 'example':* & 'com':* & '9100':*");
  assert.equal(wordQuery("can't \\ 'x"), "'can':* & 't':* & 'x':*");
  assert.equal(wordQuery('a!|(\\b)'), "'a':* & 'b':*");
  assert.equal(wordQuery('Größe 温度'), "'Größe':* & '温度':*");
  for (const nothing of ['', '  ', '-- !! ()']) assert.equal(wordQuery(nothing), null);
  assert.equal(wordQuery('x '.repeat(50))?.split('&').length, 20);
});

it('requires any facet of one kind, and all kinds', () => {
  assert.equal(facetQuery({}), null);
  assert.equal(facetQuery({ type: [] }), null);
  assert.equal(
    facetQuery({ type: ['alert', 'incident'], priority: ['high'], source: "Ada's" }),
    "('=type alert' | '=type incident') & ('=priority high') & ('=source ada''s')",
  );
});
