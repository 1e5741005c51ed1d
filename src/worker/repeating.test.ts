import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repeating } from './repeating.ts';

describe('work that is repeated', () => {
  /** Work whose every round the test ends by hand, with whether there was something to do. */
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

  it('goes on until there is no more', async () => {
    const hand = byHand();
    const all = repeating(1, () => false, hand.work).run();
    await hand.end(true);
    await hand.end(true);
    await hand.end(false);
    await all;
    assert.equal(hand.begun(), 3);
  });

  it('goes round once more for all who asked meanwhile', async () => {
    const hand = byHand();
    const { run, begin } = repeating(1, () => false, hand.work);
    const all = run();
    for (let asked = 0; asked < 1_000; asked++) begin();
    await hand.end(false);
    assert.equal(hand.begun(), 2);
    await hand.end(false);
    await all;
    assert.equal(hand.begun(), 2);
  });

  it('gives nothing to wait for to those who ask while it is under way', async () => {
    const hand = byHand();
    const { begin, idle } = repeating(1, () => false, hand.work);
    assert.ok(begin());
    assert.equal(begin(), null);
    await hand.end(false);
    await hand.end(false);
    await idle();
    assert.ok(begin());
  });

  it('does not miss who asks in the very moment of its end', async () => {
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
      assert.ok(rounds > before, `asked ${microtasks} microtasks after the beginning`);
    }
  });

  it('lets others help while there may be more, as many as it was told', async () => {
    const hand = byHand();
    const { run } = repeating(2, () => false, hand.work);
    const all = run();
    await hand.end(true);
    assert.equal(hand.begun(), 3);
    await hand.end(true);
    assert.equal(hand.begun(), 4);
    void all;
  });

  it('tells an error to who began it, and begins anew afterwards', async () => {
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

  it('begins nothing more once it is to stop', async () => {
    const hand = byHand();
    let stopping = false;
    const all = repeating(1, () => stopping, hand.work).run();
    stopping = true;
    await hand.end(true);
    await all;
    assert.equal(hand.begun(), 1);
  });
});
