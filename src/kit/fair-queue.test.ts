import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createFairQueue } from './fair-queue.ts';

type Item = { organizationId: string; turnOf: string; rank: number; name: string };

function item(name: string, turnOf = 'sre', organizationId = 'acme', rank = 0): Item {
  return { organizationId, turnOf, rank, name };
}

function filled(...items: Item[]) {
  const queue = createFairQueue<Item>((one) => one);
  for (const one of items) queue.push(one);
  return queue;
}

function names(queue: ReturnType<typeof filled>): string[] {
  const taken: string[] = [];
  for (let one = queue.shift(); one; one = queue.shift()) taken.push(one.name);
  return taken;
}

describe('a fair queue', () => {
  it('lets teams take turns, and gives each team its items in order', () => {
    const queue = filled(...['a1', 'a2', 'a3'].map((name) => item(name, 'a')), item('b1', 'b'));
    queue.push(item('c1', 'c'));
    assert.deepEqual(names(queue), ['a1', 'b1', 'c1', 'a2', 'a3']);
    assert.equal(queue.size, 0);
  });

  it('lets organizations take turns, however many teams of one of them wait', () => {
    const flood = Array.from({ length: 100 }, (_, n) => item(`flood ${n}`, `team ${n}`));
    const queue = filled(...flood, item('one', 'sre', 'globex'), item('two', 'sre', 'globex'));
    assert.deepEqual(names(queue).slice(0, 4), ['flood 0', 'one', 'flood 1', 'two']);
  });

  it('takes the most urgent first within a turn, and occasionally the least urgent', () => {
    const urgent = Array.from({ length: 20 }, (_, n) => item(`high ${n}`));
    const queue = filled(item('low', 'sre', 'acme', 2), ...urgent);
    const taken = names(queue);
    assert.equal(taken[0], 'high 0');
    assert.equal(taken.indexOf('low'), 7);
  });

  it('skips turns that may not be taken, and keeps returned items at the front', () => {
    const queue = filled(item('a1', 'a'), item('a2', 'a'), item('b1', 'b'));
    assert.equal(queue.shift((_, turnOf) => turnOf !== 'a')?.name, 'b1');
    assert.equal(
      queue.shift((_, turnOf) => turnOf !== 'a'),
      undefined,
    );
    const first = queue.shift() as Item;
    queue.unshift(first);
    assert.equal(queue.sizeOf('acme', 'a'), 2);
    assert.deepEqual(names(queue), ['a1', 'a2']);
  });

  it('gives out exactly its items, and lets nobody wait for more than one item of each other turn', () => {
    const items = fc.array(
      fc.record({
        organizationId: fc.constantFrom('acme', 'globex'),
        turnOf: fc.constantFrom('a', 'b', 'c'),
        rank: fc.constantFrom(0, 1, 2),
        name: fc.uuid(),
      }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(items, (given) => {
        const queue = filled(...given);
        const taken: Item[] = [];
        for (let one = queue.shift(); one; one = queue.shift()) taken.push(one);
        assert.deepEqual(new Set(taken), new Set(given));
        assert.equal(taken.length, given.length);
        const turns = new Set(given.map((one) => `${one.organizationId} ${one.turnOf}`));
        for (const turn of turns) {
          const place = taken.findIndex((one) => `${one.organizationId} ${one.turnOf}` === turn);
          assert.ok(place < 2 * 3, `${turn} waited for ${place} others`);
        }
      }),
    );
  });

  it('returns everything at once', () => {
    const queue = filled(item('a1', 'a'), item('b1', 'b', 'globex', 2));
    assert.equal(queue.clear().length, 2);
    assert.deepEqual([queue.size, queue.shift()], [0, undefined]);
  });
});
