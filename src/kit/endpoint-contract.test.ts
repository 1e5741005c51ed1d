import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { endpoint, methodOf, pathOf, urlOf } from './endpoint-contract.ts';

const plain = endpoint('GET /api/things', { summary: 'List', response: Type.Object({}) });
const full = endpoint('PUT /api/things/:id/parts/:part', {
  summary: 'Put',
  query: Type.Object({ limit: Type.Integer(), text: Type.String(), all: Type.Boolean() }),
  response: Type.Object({}),
});

describe('an endpoint', () => {
  it('has a method and a path', () => {
    assert.equal(methodOf(full), 'PUT');
    assert.equal(pathOf(full), '/api/things/:id/parts/:part');
    assert.equal(urlOf(plain), '/api/things');
  });

  it('encodes its parameters, and omits undefined query values', () => {
    const params = { id: 'a/b', part: 'c d?' };
    assert.equal(urlOf(full, { params }), '/api/things/a%2Fb/parts/c%20d%3F');
    assert.equal(
      urlOf(full, { params, query: { limit: 5, text: 'x&y', all: false } }),
      '/api/things/a%2Fb/parts/c%20d%3F?limit=5&text=x%26y&all=false',
    );
  });
});
