import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { errorText } from '../kit/error-text.ts';
import { explain } from './explain.ts';
import { explainFailure } from './remote/failure.ts';

it('any error is one line of words on the command line', () => {
  const leaf = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
    fc.string(),
  );
  const wrapped = fc.letrec<{ thrown: unknown }>((tie) => ({
    thrown: fc.oneof(
      { depthSize: 'small' },
      leaf,
      fc.tuple(fc.string(), tie('thrown')).map(([message, cause]) => new Error(message, { cause })),
      fc.array(tie('thrown'), { maxLength: 3 }).map((errors) => new AggregateError(errors)),
      tie('thrown').map((message) => Object.assign(new Error(), { message, code: message })),
      tie('thrown').map((cause) => new TypeError('fetch failed', { cause })),
      tie('thrown').map((error) => ({ error, message: error })),
    ),
  }));
  const hostile = new Proxy({}, { get: () => assert.fail('nobody may look') });
  fc.assert(
    fc.property(fc.oneof(wrapped.thrown, fc.constant(hostile)), (thrown) => {
      const sentences = [
        `${errorText(thrown)}.`,
        explain(thrown).sentence,
        explainFailure('https://tocsin.example.com', thrown, 1_000),
      ];
      for (const sentence of sentences) {
        assert.ok(sentence.length > 1 && sentence.length < 900, sentence);
        assert.doesNotMatch(sentence, /\[object|[\0\n\r]/);
      }
    }),
    { numRuns: 2_000 },
  );
});
