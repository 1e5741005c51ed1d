import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type } from 'typebox';
import { shapeOf } from './shape.ts';

describe('a shape', () => {
  it('names every difference of a value, and none if it fits', () => {
    const shape = shapeOf(Type.Object({ day: Type.String({ format: 'day' }), count: Type.Integer() }));
    assert.equal(shape.fits({ day: '2027-02-28', count: 1 }), true);
    assert.deepEqual(shape.findings({ day: '2027-02-28', count: 1 }), []);
    const wrong = { day: '2027-02-29', count: 'x' };
    assert.equal(shape.fits(wrong), false);
    assert.deepEqual(
      shape.findings(wrong).map(({ instancePath }) => instancePath),
      ['/day', '/count'],
    );
  });

  it('has its own formats in addition to those of all schemas', () => {
    const schema = Type.Object({
      shout: Type.String({ format: 'loud' }),
      day: Type.String({ format: 'day' }),
    });
    const shape = shapeOf(schema, { loud: (value) => value === value.toUpperCase() });
    assert.equal(shape.fits({ shout: 'HEY', day: '2027-02-28' }), true);
    assert.equal(shape.fits({ shout: 'hey', day: '2027-02-28' }), false);
    assert.equal(shape.fits({ shout: 'HEY', day: '2027-02-29' }), false);
  });

  it('is compiled once, for the first value', () => {
    let reads = 0;
    const schema = {
      get type() {
        reads++;
        return 'string';
      },
    };
    const shape = shapeOf(schema);
    assert.equal(reads, 0);
    assert.equal(shape.fits(1), false);
    const compiled = reads;
    assert.ok(compiled > 0);
    assert.equal(shape.findings('x').length, 0);
    assert.equal(reads, compiled);
  });
});
