import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createPace, type Late } from './pace.ts';

const LOW = { organizationId: 'acme', turnOf: 'sre', rank: 2 };
const HIGH = { ...LOW, rank: 0 };
const OTHER = { ...LOW, turnOf: 'web' };

describe('the pace of accepting', () => {
  let [now, looks, late] = [0, 0, [] as readonly Late[] | Error | 'silent'];
  let pace: ReturnType<typeof createPace>;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [now, looks, late] = [0, 0, []];
    pace = createPace(
      async (): Promise<readonly Late[]> => {
        looks++;
        if (late instanceof Error) throw late;
        if (late === 'silent') return new Promise(() => {});
        return late;
      },
      { all: 400, ofOne: 300, weight: 1_000, refusal: () => new Error('full') },
      () => now,
    );
  });
  afterEach(() => mock.timers.reset());

  async function pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 100) {
      now += 100;
      mock.timers.tick(100);
      // The look reads late rows, and only then sets the next timer.
      await new Promise(setImmediate);
    }
  }

  const arrive = (count: number, turn = LOW) => Array.from({ length: count }, () => pace.admit(turn, 0));

  /** Makes the next look find so many late rows, and returns when it has. */
  async function behind(rows: number, turn = LOW): Promise<void> {
    late = [{ ...turn, rows }];
    arrive(10);
    await pass(100);
  }

  /** A request that waits, and whether it still does. */
  function waiting(turn = LOW, bytes = 0): { waits: boolean } {
    const state = { waits: true };
    const admitted = pace.admit(turn, bytes);
    assert.ok(admitted, 'it went on at once');
    void admitted.then(() => {
      state.waits = false;
    });
    return state;
  }

  it('lets everything pass, and looks for nothing, while few requests come', async () => {
    late = [{ ...LOW, rows: 500 }];
    for (let second = 0; second < 5; second++) {
      assert.deepEqual(arrive(9), Array(9).fill(null));
      await pass(100);
    }
    assert.equal(looks, 0);
  });

  it('slows nobody down until many rows are late', async () => {
    await behind(49);
    assert.equal(looks, 1);
    assert.equal(pace.admit(LOW, 0), null);
    await behind(50);
    assert.notEqual(pace.admit(LOW, 0), null);
  });

  it('lets a slowed request go when its team has caught up', async () => {
    await behind(50);
    const one = waiting();
    await pass(200);
    assert.equal(one.waits, true);
    late = [];
    await pass(100);
    assert.equal(one.waits, false);
  });

  it('lets a request wait for one second at most, whatever is late', async () => {
    await behind(500);
    const one = waiting();
    await pass(900);
    assert.equal(one.waits, true);
    await pass(100);
    assert.equal(one.waits, false);
  });

  it('lets a request wait for one second at most, even if the database does not say what is late', async () => {
    await behind(500);
    const one = waiting();
    late = 'silent';
    await pass(900);
    assert.equal(one.waits, true);
    await pass(100);
    assert.equal(one.waits, false);
  });

  it('slows down neither other teams nor what is more urgent than all that is late', async () => {
    await behind(500);
    assert.deepEqual([pace.admit(OTHER, 0), pace.admit(HIGH, 0)], [null, null]);
    assert.equal(pace.admit({ ...LOW, organizationId: 'globex' }, 0), null);
    await behind(500, HIGH);
    assert.notEqual(pace.admit(HIGH, 0), null);
    assert.notEqual(pace.admit(LOW, 0), null, 'what is less urgent waits as well');
  });

  it('lets requests go in the order in which they came, some at each look', async () => {
    await behind(50);
    const held = Array.from({ length: 300 }, () => waiting());
    late = [];
    await pass(100);
    assert.deepEqual(
      held.map(({ waits }) => waits),
      [...Array(250).fill(false), ...Array(50).fill(true)],
    );
    const last = waiting();
    await pass(100);
    assert.deepEqual([held.some(({ waits }) => waits), last.waits], [false, false]);
    assert.equal(pace.admit(LOW, 0), null);
  });

  it('refuses what comes when too many of one team wait, or too many of all, or too large ones', async () => {
    late = [LOW, OTHER].map((turn) => ({ ...turn, rows: 250 }));
    arrive(10);
    await pass(100);
    for (let count = 0; count < 300; count++) waiting();
    assert.throws(() => pace.admit(LOW, 0), /full/);
    for (let count = 0; count < 100; count++) waiting(OTHER);
    assert.throws(() => pace.admit(OTHER, 0), /full/);
    await pass(1_000);
    waiting(LOW, 1_000);
    assert.throws(() => pace.admit(OTHER, 1), /full/);
    await pass(1_000);
    waiting(LOW, 1);
  });

  it('slows nobody down when it cannot read what is late', async () => {
    await behind(50);
    const one = waiting();
    late = new Error('the database is away');
    await pass(100);
    assert.equal(one.waits, false);
    assert.equal(pace.admit(LOW, 0), null);
  });

  it('stops looking when nothing comes and nothing waits', async () => {
    await behind(50);
    await pass(1_000);
    const before = looks;
    await pass(1_000);
    assert.equal(looks, before);
    assert.equal(pace.admit(LOW, 0), null, 'what was late then says nothing');
  });
});
