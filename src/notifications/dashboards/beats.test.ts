import '../../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { type Beat, type Beats, createBeats } from './beats.ts';

/** A dashboard that records the beats of its stream. */
function dashboard(beats: Beats): { beat: Beat; beaten(): number; isSilent(): boolean } {
  let beaten = 0;
  let silent = false;
  const beat = beats.add({
    beat() {
      beaten += 1;
    },
    silent() {
      silent = true;
      beat.remove();
    },
  });
  return { beat, beaten: () => beaten, isSilent: () => silent };
}

describe('the beats on the streams of open dashboards', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  /** This many beats, during which answers could be received. */
  function pass(beats: Beats, count: number): void {
    for (let beat = 0; beat < count; beat += 1) {
      beats.answerable();
      mock.timers.tick(20_000);
    }
  }

  it('are sent every 20 seconds until the last dashboard closes', () => {
    const beats = createBeats();
    const [one, other] = [dashboard(beats), dashboard(beats)];
    mock.timers.tick(19_999);
    assert.equal(one.beaten(), 0);
    mock.timers.tick(1);
    assert.deepEqual([one.beaten(), other.beaten()], [1, 1]);
    one.beat.remove();
    mock.timers.tick(40_000);
    assert.deepEqual([one.beaten(), other.beaten()], [1, 3]);
    other.beat.remove();
    mock.timers.tick(60_000);
    assert.equal(other.beaten(), 3);
  });

  it('may be left unanswered four times in a row, but not five', () => {
    const beats = createBeats();
    const late = dashboard(beats);
    late.beat.answered();
    pass(beats, 4);
    late.beat.answered();
    pass(beats, 4);
    assert.equal(late.isSilent(), false);
    pass(beats, 1);
    assert.equal(late.isSilent(), true);
    assert.equal(late.beaten(), 8);
  });

  it('never count as missed for a dashboard that has never answered one', () => {
    const beats = createBeats();
    const older = dashboard(beats);
    pass(beats, 100);
    assert.deepEqual([older.isSilent(), older.beaten()], [false, 100]);
  });

  it('do not count while answers could not be received', () => {
    const beats = createBeats();
    const one = dashboard(beats);
    one.beat.answered();
    pass(beats, 4);
    mock.timers.tick(600_000);
    assert.equal(one.isSilent(), false);
    one.beat.answered();
    pass(beats, 4);
    assert.equal(one.isSilent(), false);
    pass(beats, 1);
    assert.equal(one.isSilent(), true);
  });

  it('end for a closed dashboard, whatever it still answers', () => {
    const beats = createBeats();
    const [gone, open] = [dashboard(beats), dashboard(beats)];
    gone.beat.answered();
    gone.beat.remove();
    gone.beat.answered();
    pass(beats, 10);
    assert.deepEqual([gone.isSilent(), gone.beaten(), open.beaten()], [false, 0, 10]);
  });
});
