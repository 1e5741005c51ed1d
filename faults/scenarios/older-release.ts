import { setTimeout as delay } from 'node:timers/promises';
import { migrate } from '../../src/db/migrate.ts';
import { installMissing } from '../../testing/other-tree.ts';
import { type OlderTree, olderTree } from '../older-tree.ts';
import type { Place, Server } from '../place.ts';
import { mortalPostgres } from '../postgres.ts';
import type { Scenario, Stage, Verdict } from '../scenario.ts';

/** A rolling upgrade of two nodes without downtime, and the rollback. */
export const olderRelease: Scenario = {
  name: 'older-release',
  promise:
    'nodes of an older release keep serving beside newer ones that migrate, until they are stopped; then the way back',
  async run(stage) {
    const older = await olderTree();
    if (typeof older === 'string') return { figures: {}, broken: [], skipped: older };
    installMissing(older);
    const postgres = await mortalPostgres();
    try {
      return await upgradeAndBack(stage, older, postgres);
    } finally {
      await postgres.remove();
      older.remove();
    }
  },
};

async function upgradeAndBack(
  { seconds: length, place }: Stage,
  older: OlderTree,
  postgres: Awaited<ReturnType<typeof mortalPostgres>>,
): Promise<Verdict> {
  const database = await postgres.database({ empty: true });
  await migrate({ connectionString: database.url }, Promise.resolve(older.migrations));
  const at = await place({ postgres, database });
  const old = [await startOlder(at, older), await startOlder(at, older)];
  let serving: Server[] = old;
  const load = at.load({ targets: () => serving.map(({ url }) => url) });
  await delay(2_000);

  const first = await at.start('all');
  serving = [...old, first];
  await delay((length * 1_000) / 3);
  const current = [first, await at.start('all')];
  serving = [...old, ...current];
  for (const node of old) {
    serving = serving.filter((one) => one !== node);
    await node.process.end('SIGTERM');
    await delay(1_000);
  }
  await delay((length * 1_000) / 3);

  const back = await startOlder(at, older).catch((error: Error) => error);
  if (!(back instanceof Error)) {
    serving = [...current, back];
    await delay(1_000);
    for (const node of current) {
      serving = serving.filter((one) => one !== node);
      await node.process.end('SIGTERM');
    }
    await delay((length * 1_000) / 3);
  }
  const verdict = await at.settle(load, { repeats: 0 });
  // A client whose request reaches a node at its very end gets no answer, and tries another node.
  const odd = [...load.answers.keys()].filter((status) => ![0, 200, 503].includes(status));
  if (odd.length > 0) verdict.broken.push(`answers other than 200 and 503: ${odd.join(', ')}`);
  if (!older.startsOverNewer)
    verdict.broken = verdict.broken.filter((sentence) => !sentence.includes('migrated by a newer Tocsin'));
  if (back instanceof Error && older.startsOverNewer)
    verdict.broken.push(`the older release does not start any more: ${back.message}`);
  await at.end();
  const figures = {
    older: older.commit,
    'migrations newer': older.newer.length,
    'way back': back instanceof Error ? 'the older commit does not know it yet' : 'serves',
    refused: load.answers.get(503) ?? 0,
  };
  return { ...verdict, figures: { ...figures, ...verdict.figures } };
}

function startOlder(at: Place, older: OlderTree): Promise<Server> {
  return at.start('all', {}, undefined, { tree: older.path });
}
