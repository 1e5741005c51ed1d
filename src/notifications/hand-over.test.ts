import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decideHandOver, type RunDelivery } from './hand-over.ts';

const NOW = Temporal.Instant.from('2026-11-20T03:00:00Z');

/** One line for a delivery: `email failed`, `voice waiting in 2`, `sms held in 1`. Rules count from 0 by their time. */
function run(...lines: string[]): RunDelivery[] {
  return lines.map((line, index) => {
    const [channel, state, , minutes = '0'] = line.split(' ');
    return {
      id: `${channel}-${index}`,
      channel: channel as RunDelivery['channel'],
      rule: Number(minutes),
      state: (state === 'held' ? 'waiting' : state) as RunDelivery['state'],
      dueAt: NOW.add({ minutes: Number(minutes) }),
      held: state === 'held',
    };
  });
}

describe('when a notification could not be made', () => {
  it('nothing follows while another has left, is leaving, or is about to', () => {
    for (const other of ['accepted', 'delivered', 'sending', 'bundled', 'waiting', 'held in 1'])
      assert.deepEqual(
        decideHandOver(run('email failed', `sms ${other}`), true, NOW),
        { kind: 'none' },
        other,
      );
  });

  it('the next rule goes at once, as a whole, and not those after it', () => {
    const next = run('email failed', 'voice waiting in 2', 'sms waiting in 2', 'voice waiting in 4');
    assert.deepEqual(decideHandOver(next, true, NOW), { kind: 'hasten', deliveryIds: ['voice-1', 'sms-2'] });
  });

  it('one that is only being retried holds nothing up', () => {
    const next = run('email failed', 'chat retrying in 1', 'voice waiting in 2');
    assert.deepEqual(decideHandOver(next, true, NOW), { kind: 'hasten', deliveryIds: ['voice-2'] });
    assert.deepEqual(decideHandOver(run('email failed', 'chat retrying in 1'), false, NOW), {
      kind: 'fall-back',
    });
    assert.deepEqual(decideHandOver(run('email failed', 'chat retrying in 1'), true, NOW), { kind: 'none' });
  });

  it('methods that no rule named follow before anybody is given up', () => {
    assert.deepEqual(decideHandOver(run('email failed'), false, NOW), { kind: 'fall-back' });
    assert.deepEqual(decideHandOver(run('email failed', 'sms cancelled'), true, NOW), {
      kind: 'unreachable',
    });
  });
});

describe('an open dashboard', () => {
  it('does not keep the phone from ringing', () => {
    for (const state of ['sending', 'accepted', 'delivered']) {
      const next = run(`browser ${state}`, 'email failed', 'voice waiting in 2');
      assert.deepEqual(decideHandOver(next, true, NOW), { kind: 'hasten', deliveryIds: ['voice-2'] }, state);
      assert.deepEqual(decideHandOver(run(`browser ${state}`, 'email failed'), false, NOW), {
        kind: 'fall-back',
      });
    }
  });

  it('that shows the page, or is about to, is a way to reach somebody when there is no other', () => {
    for (const state of ['waiting', 'sending', 'accepted', 'delivered'])
      assert.deepEqual(
        decideHandOver(run(`browser ${state}`, 'email failed'), true, NOW),
        { kind: 'none' },
        state,
      );
  });

  it('that does not show it is none', () => {
    for (const state of ['failed', 'retrying', 'cancelled'])
      assert.deepEqual(
        decideHandOver(run(`browser ${state}`, 'email failed'), true, NOW),
        { kind: 'unreachable' },
        state,
      );
  });
});
