import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CODE_POINT } from '../../../testing/code-point.ts';
import { readPayload } from './wrapped-payload.ts';

function read(body: string | Buffer) {
  return readPayload(Buffer.from(body));
}

const object = { title: 'Disk "full" & söme =', org: { id: 7 } };
const json = JSON.stringify(object);

function multipart(fields: Record<string, string>, boundary = 'axios-1.7.2-boundary-x'): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${boundary}--\r\n`;
}

describe('the object in a body', () => {
  it('is found as JSON, with a byte order mark or blanks around it', () => {
    assert.deepEqual(read(json), { object });
    assert.deepEqual(read(`\ufeff \r\n${json}\n`), { object });
  });

  it('is found in a field of a form', () => {
    assert.deepEqual(read(new URLSearchParams({ payload: json }).toString()), { object });
    assert.deepEqual(read(multipart({ data: json })), { object });
    assert.deepEqual(read(multipart({ other: 'x', data: json })), { object });
  });

  it("is made of a form's own fields if none contains JSON", () => {
    const fields = { host_name: 'db-01', output: 'DISK "CRITICAL" = 99 % & rising\nsecond line' };
    assert.deepEqual(read(new URLSearchParams(fields).toString()), { object: fields });
    assert.deepEqual(read(multipart(fields)), { object: fields });
    assert.deepEqual(read('data=only+text'), { object: { data: 'only text' } });
  });

  it('is repaired if the template did not escape its values', () => {
    assert.deepEqual(read('{"error": "a\nb"}'), { object: { error: 'a\nb' } });
    assert.deepEqual(read('{"error": "a\nb" oops}'), { problem: 'is not valid JSON, or was cut off' });
  });

  it('may be missing, and then the problem names the fields that were sent', () => {
    assert.deepEqual(read('ok'), { problem: 'is not valid JSON, or was cut off' });
    assert.deepEqual(read('payload={"cut": '), { problem: 'is not valid JSON, or was cut off' });
    assert.deepEqual(read('--cut\r\n'), { object: {} });
    assert.deepEqual(read(''), { problem: 'is empty' });
  });

  it('survives any form', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: CODE_POINT })), (fields) => {
        const name = Object.keys(fields)[0];
        const form = new URLSearchParams(fields).toString();
        const result = read(form);
        if (name && /^[\w.~-]/.test(name)) assert.ok('object' in result, form);
      }),
    );
  });

  it('has no inherited names', () => {
    const result = read('__proto__=x&constructor=y');
    assert.ok('object' in result && Object.hasOwn(result.object, '__proto__'));
  });
});
