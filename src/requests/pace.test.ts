import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import { createPace, LATE_AFTER_MS, type Late } from './pace.ts';

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
    for (let passed = 0; passed < ms; passed += 50) {
      now += 50;
      mock.timers.tick(50);
      // The look reads late rows, and only then sets the next timer.
      await new Promise(setImmediate);
    }
  }

  const arrive = (count: number, turn = LOW) => Array.from({ length: count }, () => pace.admit(turn, 0));

  /** Makes the next look find so many late rows, and returns when it has. */
  async function behind(rows: number, turn = LOW): Promise<void> {
    late = [{ ...turn, rows }];
    arrive(5);
    await pass(50);
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
    for (let look = 0; look < 10; look++) {
      assert.deepEqual(arrive(4), Array(4).fill(null));
      await pass(50);
    }
    assert.equal(looks, 0);
  });

  it('slows nobody down until many rows are late', async () => {
    await behind(19);
    assert.equal(looks, 1);
    assert.equal(pace.admit(LOW, 0), null);
    await behind(20);
    assert.notEqual(pace.admit(LOW, 0), null);
  });

  it('lets a slowed request go when its team has caught up', async () => {
    await behind(20);
    const one = waiting();
    await pass(200);
    assert.equal(one.waits, true);
    late = [];
    await pass(50);
    assert.equal(one.waits, false);
  });

  it('lets a request wait for one second at most, whatever is late', async () => {
    await behind(500);
    const one = waiting();
    await pass(950);
    assert.equal(one.waits, true);
    await pass(50);
    assert.equal(one.waits, false);
  });

  it('lets a request wait for one second at most, even if the database does not say what is late', async () => {
    await behind(500);
    const one = waiting();
    late = 'silent';
    await pass(950);
    assert.equal(one.waits, true);
    await pass(50);
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
    await behind(20);
    const held = Array.from({ length: 300 }, () => waiting());
    const left = () => held.filter(({ waits }) => waits).length;
    late = [];
    await pass(50);
    assert.equal(left(), 50);
    assert.equal(
      held.findIndex(({ waits }) => waits),
      250,
    );
    const last = waiting();
    await pass(50);
    assert.deepEqual([left(), last.waits], [0, false]);
    assert.equal(pace.admit(LOW, 0), null);
  });

  it('halves what goes on at a look each time the team is late again, and doubles it when it is not', async () => {
    await behind(20);
    const held = Array.from({ length: 150 }, () => waiting());
    const left = () => held.filter(({ waits }) => waits).length;
    await pass(300);
    late = [];
    await pass(50);
    assert.equal(left(), 130, 'never fewer than it takes to be late');
    await pass(50);
    assert.equal(left(), 90);
    await pass(50);
    assert.equal(left(), 10);
  });

  it('refuses what comes when too many of one team wait, or too many of all, or too large ones', async () => {
    late = [LOW, OTHER].map((turn) => ({ ...turn, rows: 250 }));
    arrive(5);
    await pass(50);
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
    await behind(20);
    const one = waiting();
    late = new Error('the database is away');
    await pass(50);
    assert.equal(one.waits, false);
    assert.equal(pace.admit(LOW, 0), null);
  });

  it('stops looking when nothing comes and nothing waits', async () => {
    await behind(20);
    await pass(1_000);
    const before = looks;
    await pass(1_000);
    assert.equal(looks, before);
    assert.equal(pace.admit(LOW, 0), null, 'what was late then says nothing');
  });
});

/** Everything of a team that is accepted and begun; times are in milliseconds. */
type Played = { begun: number; ages: number[]; held: number[]; ofNodes: number[] };

/**
 * Plays 64 clients that send again when they are answered. Accepting a request takes half as long as working on it, which takes `each`.
 * A worker begins up to 200 at a time, and the rest when these are done.
 */
async function play({
  each,
  nodes,
  seconds,
}: {
  each: number;
  nodes: number;
  seconds: number;
}): Promise<Played> {
  mock.timers.enable({ apis: ['setTimeout'] });
  let [now, freeAt, doneAt] = [0, 0, 0];
  const played: Played = { begun: 0, ages: [], held: [], ofNodes: Array(nodes).fill(0) };
  const waiting: number[] = [];
  const answers: { at: number; node: number }[] = [];
  const late = async () => {
    const rows = waiting.filter((since) => now - since >= LATE_AFTER_MS).length;
    return rows === 0 ? [] : [{ ...LOW, rows }];
  };
  const most = { all: 400, ofOne: 300, weight: 1_000, refusal: () => new Error('full') };
  const paces = Array.from({ length: nodes }, () => createPace(late, most, () => now));
  const send = async (node: number) => {
    const since = now;
    await paces[node]?.admit(LOW, 0);
    played.held.push(now - since);
    played.ofNodes[node] = (played.ofNodes[node] ?? 0) + 1;
    freeAt = Math.max(freeAt, now) + each / 2;
    answers.push({ at: freeAt, node });
  };
  for (let client = 0; client < 64; client++) void send(client % nodes);
  for (; now < seconds * 1_000; now += 5) {
    mock.timers.tick(5);
    await new Promise(setImmediate);
    while (answers[0] && answers[0].at <= now) {
      const { node = 0 } = answers.shift() ?? {};
      waiting.push(now);
      void send(node);
    }
    if (now < doneAt) continue;
    const batch = waiting.splice(0, 200);
    for (const since of batch) played.ages.push(now - since);
    played.begun += batch.length;
    doneAt = now + batch.length * each;
  }
  mock.timers.reset();
  return played;
}

describe('with more requests than can be worked on', () => {
  const percentile = (values: number[], share: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

  for (const { machine, each, nodes, late } of [
    { machine: 'a fast machine', each: 0.4, nodes: 1, late: 300 },
    { machine: 'a slow machine', each: 8, nodes: 1, late: 900 },
    { machine: 'three nodes', each: 0.4, nodes: 3, late: 300 },
  ])
    it(`${machine} works all the time and begins promptly what it has accepted`, async () => {
      const { begun, ages, held, ofNodes } = await play({ each, nodes, seconds: 10 });
      const possible = 10_000 / each;
      assert.ok(begun > 0.9 * possible, `${begun} of ${possible} were begun`);
      assert.ok(percentile(ages, 0.99) <= late, `the 99th was begun after ${percentile(ages, 0.99)} ms`);
      assert.ok(Math.max(...held) < 1_000, `one was held for ${Math.max(...held)} ms`);
      const fair = begun / nodes;
      for (const count of ofNodes)
        assert.ok(Math.abs(count - fair) < 0.2 * fair, `${count} instead of ${fair}`);
    });
});
