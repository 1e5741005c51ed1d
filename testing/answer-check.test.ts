import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { createAnswerCheck } from './answer-check.ts';

const Inner = Type.Object({ a: Type.Optional(Type.Integer()), at: Type.String() });
const schema = Type.Object({
  list: Type.Array(Inner),
  either: Type.Union([Type.Object({ kind: Type.Literal('x') }), Type.Null()]),
  both: Type.Intersect([Type.Object({ one: Type.Integer() }), Type.Object({ two: Type.Integer() })]),
});
const good = { list: [{ a: 1, at: 'x' }], either: null, both: { one: 1, two: 2 } };

function complaintsOf(body: unknown): string[] {
  const { check, complaints } = createAnswerCheck();
  const answer = { method: 'GET', route: '/api/things', status: 200, schema, body };
  try {
    check(answer);
  } catch (error) {
    assert.match(String(error), /GET \/api\/things answered 200/);
    assert.equal(complaints.length, 1);
  }
  return complaints;
}

describe('the check of answers', () => {
  it('accepts answers that match the schema, and ignores undefined fields', () => {
    assert.deepEqual(complaintsOf(good), []);
    assert.deepEqual(complaintsOf({ ...good, list: [{ a: undefined, at: 'x' }], more: undefined }), []);
  });

  it('refuses wrong types, missing fields, and fields that the schema does not declare', () => {
    for (const bad of [
      { ...good, more: 1 },
      { ...good, list: [{ at: 'x', more: 1 }] },
      { ...good, list: [{}] },
      { ...good, list: [{ at: 1 }] },
      { ...good, either: { kind: 'x', more: 1 } },
      { ...good, both: { one: 1, two: 2, three: 3 } },
    ])
      assert.equal(complaintsOf(bad).length, 1, JSON.stringify(bad));
  });
});
