import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createShortMemory } from './short-memory.ts';

describe('a short memory', () => {
  /** A cache of words with a clock that the test moves, and look-ups that the test answers. */
  function byHand() {
    let now = 0;
    const asked: { answer(word: string | null): Promise<void>; fail(): Promise<void> }[] = [];
    const memory = createShortMemory<string | null>(
      (word) => word !== null && word !== 'bad',
      () => now,
    );
    const find = () =>
      new Promise<string | null>((resolve, reject) => {
        asked.push({
          async answer(word) {
            resolve(word);
            await turn();
          },
          async fail() {
            reject(new Error('the database is away'));
            await turn();
          },
        });
      });
    return {
      get: (name = 'key') => memory.get(name, find),
      forget: () => memory.forget('key'),
      pass: (ms: number) => {
        now += ms;
      },
      times: () => asked.length,
      last: () => asked.at(-1) as (typeof asked)[number],
    };
  }

  it('looks up once for all simultaneous callers of a name', async () => {
    const hand = byHand();
    const all = [hand.get(), hand.get(), hand.get()];
    assert.equal(hand.times(), 1);
    await hand.last().answer('one');
    assert.deepEqual(await Promise.all(all), ['one', 'one', 'one']);
    const other = hand.get('other');
    assert.equal(hand.times(), 2);
    await hand.last().answer('two');
    assert.equal(await other, 'two');
  });

  it('drops the name that was unused for longest at 10,000 names, and no other', async () => {
    const asked: string[] = [];
    const memory = createShortMemory<string>(
      () => true,
      () => 0,
    );
    const get = (name: string) =>
      memory.get(name, async () => {
        asked.push(name);
        return name;
      });
    for (let name = 0; name < 10_000; name++) await get(String(name));
    await get('0');
    await get('one too many');
    asked.length = 0;
    for (const name of ['0', '2', '9999', 'one too many']) await get(name);
    assert.deepEqual(asked, []);
    await get('1');
    assert.deepEqual(asked, ['1']);
  });

  it('uses a result for half a second, counted from the look-up', async () => {
    const hand = byHand();
    const first = hand.get();
    hand.pass(200);
    await hand.last().answer('old');
    await first;
    hand.pass(299);
    assert.equal(await hand.get(), 'old');
    hand.pass(1);
    const next = hand.get();
    await hand.last().answer('new');
    assert.equal(await next, 'new');
  });

  it('does not make a caller wait who repeats the look-up', async () => {
    const hand = byHand();
    const first = hand.get();
    await hand.last().answer('0');
    await first;
    for (let round = 1; round <= 5; round++) {
      hand.pass(300);
      assert.equal(await hand.get(), String(round - 1), 'what is remembered, at once');
      assert.equal(await hand.get(), String(round - 1));
      assert.equal(hand.times(), round + 1, 'and looked up anew meanwhile, once');
      await hand.last().answer(String(round));
      assert.equal(await hand.get(), String(round));
    }
  });

  it('joins a look-up in progress if its result is too old', async () => {
    const hand = byHand();
    const first = hand.get();
    await hand.last().answer('old');
    await first;
    hand.pass(450);
    await hand.get();
    hand.pass(100);
    const joined = hand.get();
    assert.equal(hand.times(), 2);
    await hand.last().answer('new');
    assert.equal(await joined, 'new');
    assert.equal(await hand.get(), 'new');
    assert.equal(hand.times(), 2);
  });

  it('does not wait for a look-up that is itself too old', async () => {
    const hand = byHand();
    const first = hand.get();
    await hand.last().answer('old');
    await first;
    hand.pass(450);
    await hand.get();
    hand.pass(500);
    const anew = hand.get();
    assert.equal(hand.times(), 3);
    await hand.last().answer('new');
    assert.equal(await anew, 'new');
  });

  for (const nothing of [null, 'bad'])
    it(`does not cache ${nothing}, found at first or later`, async () => {
      const hand = byHand();
      const first = hand.get();
      await hand.last().answer(nothing);
      assert.equal(await first, nothing);
      const second = hand.get();
      assert.equal(hand.times(), 2);
      await hand.last().answer('good');
      await second;
      hand.pass(250);
      await hand.get();
      await hand.last().answer(nothing);
      const third = hand.get();
      assert.equal(hand.times(), 4, 'what it renewed to is asked for again');
      await hand.last().answer(nothing);
      assert.equal(await third, nothing);
    });

  it('passes a failure to those who wait for it, and looks it up again', async () => {
    const hand = byHand();
    const first = hand.get();
    const rejected = assert.rejects(first, /away/);
    await hand.last().fail();
    await rejected;
    const second = hand.get();
    await hand.last().answer('good');
    await second;
    hand.pass(300);
    await hand.get();
    await hand.last().fail();
    assert.equal(await hand.get(), 'good', 'believed as long as before');
    assert.equal(hand.times(), 4, 'and asked for once more');
    hand.pass(200);
    const late = hand.get();
    await hand.last().answer('back');
    assert.equal(await late, 'back');
  });

  it('drops entries, including look-ups in progress', async () => {
    const hand = byHand();
    const first = hand.get();
    await hand.last().answer('good');
    await first;
    hand.pass(300);
    await hand.get();
    const renewal = hand.last();
    hand.forget();
    await renewal.answer('good');
    const second = hand.get();
    assert.equal(hand.times(), 3);
    await hand.last().answer(null);
    assert.equal(await second, null);
  });

  it('drops the result of a first look-up in progress', async () => {
    const hand = byHand();
    const first = hand.get();
    hand.forget();
    await hand.last().answer('good');
    assert.equal(await first, 'good');
    void hand.get();
    assert.equal(hand.times(), 2);
  });
});
