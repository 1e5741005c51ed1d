import '../../testing/own-process.ts';
import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import { createGroupCommit } from './group-commit.ts';

type Item = { name: string; weight?: number; exclusive?: string; team?: string };

function commits(settings: { maxItems?: number; refuse?: (items: readonly Item[]) => Error | null } = {}) {
  const writes: string[][] = [];
  const commit = createGroupCommit<Item, string>({
    maxItems: settings.maxItems ?? 10,
    concurrency: 1,
    exclusive: (item) => item.exclusive ?? null,
    weight: (item) => item.weight ?? 0,
    maxWeight: 10,
    turnOf: ({ team = 'sre' }) => ({ organizationId: 'acme', turnOf: team }),
    mostWaiting: { all: 6, ofOne: 4, weight: 100, refusal: () => new Error('full') },
    isItemsFault: (error) => (error as Error).message !== 'away',
    async flush(items) {
      writes.push(items.map(({ name }) => name));
      const refused = settings.refuse?.(items);
      if (refused) throw refused;
      return items.map(({ name }) => name);
    },
  });
  return { writes, commit };
}

const named = (...names: string[]): Item[] => names.map((name) => ({ name }));

describe('a group commit', () => {
  it('writes simultaneous items together, and items that arrive meanwhile with the next write', async () => {
    const { writes, commit } = commits();
    const first = Promise.all(named('a', 'b').map((item) => commit.write(item)));
    const second = new Promise((resolve) =>
      setImmediate(() => resolve(Promise.all(named('c', 'd').map(commit.write)))),
    );
    assert.deepEqual(await first, ['a', 'b']);
    assert.deepEqual(await second, ['c', 'd']);
    assert.deepEqual(writes, [
      ['a', 'b'],
      ['c', 'd'],
    ]);
  });

  it('lets another write begin beside one that takes long, and none beside one that does not', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    let now = 0;
    const clock = mock.method(performance, 'now', () => now);
    const turn = () => new Promise(setImmediate);
    const ends: (() => void)[] = [];
    const writes: string[][] = [];
    const commit = createGroupCommit<string, string>({
      ...{ maxItems: 10, concurrency: 2, aloneForMs: 50, isItemsFault: () => false },
      async flush(items) {
        writes.push([...items]);
        await new Promise<void>((resolve) => ends.push(resolve));
        return [...items];
      },
    });
    const pass = async (ms: number) => {
      now += ms;
      mock.timers.tick(ms);
      await turn();
    };
    try {
      const all = [commit.write('a')];
      await turn();
      all.push(commit.write('b'));
      await pass(49);
      all.push(commit.write('c'));
      await turn();
      assert.deepEqual(writes, [['a']]);
      await pass(1);
      assert.deepEqual(writes, [['a'], ['b', 'c']], 'the first takes long');
      all.push(commit.write('d'));
      await pass(1_000);
      assert.equal(writes.length, 2, 'no more than two at a time');
      ends[1]?.();
      await turn();
      assert.deepEqual(writes[2], ['d'], 'the first still waits');
      ends[0]?.();
      ends[2]?.();
      assert.deepEqual(await Promise.all(all), ['a', 'b', 'c', 'd']);
    } finally {
      clock.mock.restore();
      mock.timers.reset();
    }
  });

  it('never exceeds the limits of one write, by number or by weight', async () => {
    const few = commits({ maxItems: 2 });
    await Promise.all(named('a', 'b', 'c').map(few.commit.write));
    assert.deepEqual(few.writes, [['a', 'b'], ['c']]);
    const light = commits();
    const items = [
      { name: 'a', weight: 6 },
      { name: 'heavy', weight: 50 },
      { name: 'b', weight: 6 },
      { name: 'c', weight: 4 },
    ];
    assert.deepEqual(await Promise.all(items.map(light.commit.write)), ['a', 'heavy', 'b', 'c']);
    assert.deepEqual(light.writes, [['a', 'c'], ['heavy'], ['b']]);
  });

  it('lets teams take turns if more items wait than one write holds', async () => {
    const { writes, commit } = commits({ maxItems: 2 });
    const items = [...named('a1', 'a2', 'a3'), { name: 'b', team: 'ops' }];
    await Promise.all(items.map(commit.write));
    assert.deepEqual(writes, [
      ['a1', 'b'],
      ['a2', 'a3'],
    ]);
  });

  it('refuses items beyond the limit of a team, of all teams, or of memory, and accepts more once these are written', async () => {
    const { commit } = commits();
    const settled = async (items: Item[]) =>
      (await Promise.allSettled(items.map(commit.write))).map(({ status }) => status === 'fulfilled');
    const ops = named('x', 'y', 'z').map((item) => ({ ...item, team: 'ops' }));
    assert.deepEqual(await settled([...named('a', 'b', 'c', 'd', 'e'), ...ops]), [
      ...[true, true, true, true, false],
      ...[true, true, false],
    ]);
    assert.deepEqual(await settled([{ name: 'heavy', weight: 100 }, ...named('a')]), [true, false]);
    assert.deepEqual(await settled(named('a')), [true]);
  });

  it('keeps items with one exclusive name apart', async () => {
    const { writes, commit } = commits();
    const items = ['a', 'b', 'c'].map((name) => ({ name, ...(name === 'c' ? {} : { exclusive: 'key' }) }));
    await Promise.all(items.map(commit.write));
    assert.deepEqual(writes, [['a', 'c'], ['b']]);
  });

  it('fails only the item that caused the error', async () => {
    const { commit } = commits({
      refuse: (items) => (items.some(({ name }) => name === 'bad') ? new Error('bad item') : null),
    });
    const settled = await Promise.allSettled(named('a', 'bad', 'b').map(commit.write));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
  });

  it('fails all items of a write if the database is away, and continues with the next', async () => {
    let away = true;
    const { writes, commit } = commits({ refuse: () => (away ? new Error('away') : null) });
    const settled = await Promise.allSettled(named('a', 'b').map(commit.write));
    assert.deepEqual(
      settled.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(writes.length, 1, 'nothing is tried alone');
    away = false;
    assert.equal(await commit.write({ name: 'c' }), 'c');
    assert.equal(commit.waiting, 0);
  });
});
