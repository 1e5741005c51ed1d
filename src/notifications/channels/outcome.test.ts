import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aNotification } from '../../../testing/fakes/notification.ts';
import { accepted, makeChannel, refused } from './outcome.ts';

const ADA = { value: 'ada', userId: 'organization_user_1' };

describe('makeChannel', () => {
  it('ends an attempt that ignores its signal', async () => {
    const deaf = makeChannel('chat', null, () => new Promise(() => {}));
    // The attempt holds nothing that keeps the process alive.
    const alive = setInterval(() => {}, 1_000);
    const outcome = await deaf.send(aNotification(), ADA, AbortSignal.timeout(50));
    clearInterval(alive);
    assert.deepEqual(outcome, { kind: 'retry', error: 'There was no answer in time.', maybeSent: true });
  });

  it('lets an attempt report how far it got before its time was up', async () => {
    const channel = makeChannel('chat', null, async (_notification, _address, signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return refused('half way');
    });
    const controller = new AbortController();
    const outcome = channel.send(aNotification(), ADA, controller.signal);
    controller.abort();
    assert.deepEqual(await outcome, { kind: 'refused', error: 'half way' });
  });

  it('removes control characters from what a stranger’s server said, because terminals show it', () => {
    assert.deepEqual(refused('It answered 422: \u001b[2Jgone\u0007\r\nfor good.'), {
      ...{ kind: 'refused', error: 'It answered 422: [2Jgone for good.' },
    });
  });

  it('turns anything thrown into an outcome', async () => {
    const channel = makeChannel('chat', null, async () => {
      throw new Error('out of paper');
    });
    const outcome = await channel.send(aNotification(), ADA, AbortSignal.timeout(1_000));
    assert.deepEqual(outcome, {
      kind: 'retry',
      error: 'The attempt failed unexpectedly: out of paper',
      maybeSent: true,
    });
  });

  it('aborts the attempt when nobody is waiting for it', async () => {
    let seen: AbortSignal | undefined;
    const channel = makeChannel('chat', null, async (_notification, _address, signal) => {
      seen = signal;
      return accepted(null);
    });
    await channel.send(aNotification(), ADA, AbortSignal.timeout(1_000));
    assert.equal(seen?.aborted, true);
  });
});
