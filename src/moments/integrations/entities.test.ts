import assert from 'node:assert/strict';
import { it } from 'node:test';
import { decodeEntities } from './entities.ts';

it('undoes HTML escaping of a template, once', () => {
  assert.equal(
    decodeEntities('a &amp; b &lt;c&gt; &quot;d&quot; &#39;e&#x27; f &#x3D; g'),
    `a & b <c> "d" 'e' f = g`,
  );
  assert.equal(decodeEntities('&amp;lt; &nbsp; &#0; &#x110000; & ;'), '&lt; &nbsp; &#0; &#x110000; & ;');
});
