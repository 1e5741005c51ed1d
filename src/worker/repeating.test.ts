import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repeating } from './repeating.ts';

describe('repeated work', () => {
  /** Work whose every round the test ends by hand, with the result whether there was something to do. */
  function byHand() {
    const rounds: ((more: boolean) => void)[] = [];
    const work = () => new Promise<boolean>((resolve) => void rounds.push(resolve));
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    return {
      work,
      begun: () => rounds.length,
      async end(more: boolean) {
        rounds.at(-1)?.(more);
        await turn();
      },
    };
  }

  it('continues until no work is left', async () => {
    const hand = byHand();
    const all = repeating(1, () => false, hand.work).run();
    await hand.end(true);
    await hand.end(true);
    await hand.end(false);
    await all;
    assert.equal(hand.begun(), 3);
  });

  it('runs once more for all calls meanwhile', async () => {
    const hand = byHand();
    const { run, begin } = repeating(1, () => false, hand.work);
    const all = run();
    for (let calls = 0; calls < 1_000; calls++) begin();
    await hand.end(false);
    assert.equal(hand.begun(), 2);
    await hand.end(false);
    await all;
    assert.equal(hand.begun(), 2);
  });

  it('returns nothing to wait for while a run is in progress', async () => {
    const hand = byHand();
    const { begin, idle } = repeating(1, () => false, hand.work);
    assert.ok(begin());
    assert.equal(begin(), null);
    await hand.end(false);
    await hand.end(false);
    await idle();
    assert.ok(begin());
  });

  it('does not miss a call at the very moment of its end', async () => {
    for (let microtasks = 0; microtasks < 12; microtasks++) {
      let rounds = 0;
      const { begin, idle } = repeating(
        1,
        () => false,
        async () => ++rounds < 0,
      );
      begin();
      for (let passed = 0; passed < microtasks; passed++) await null;
      const before = rounds;
      begin();
      await idle();
      assert.ok(rounds > before, `called ${microtasks} microtasks after the start`);
    }
  });

  it('works concurrently while there may be more, up to the limit', async () => {
    const hand = byHand();
    const { run } = repeating(2, () => false, hand.work);
    const all = run();
    await hand.end(true);
    assert.equal(hand.begun(), 3);
    await hand.end(true);
    assert.equal(hand.begun(), 4);
    void all;
  });

  it('rejects for the caller that started it, and starts again afterwards', async () => {
    let failing = true;
    const { run, idle } = repeating(
      1,
      () => false,
      async () => {
        if (failing) throw new Error('the database is away');
        return false;
      },
    );
    await assert.rejects(run(), /away/);
    await idle();
    failing = false;
    await run();
  });

  it('begins nothing more once it should stop', async () => {
    const hand = byHand();
    let stopping = false;
    const all = repeating(1, () => stopping, hand.work).run();
    stopping = true;
    await hand.end(true);
    await all;
    assert.equal(hand.begun(), 1);
  });
});
