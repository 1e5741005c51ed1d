import type { MovableClock } from '../src/db/clock.ts';
import type { Tx } from '../src/db/database.ts';
import { newKey } from '../src/keys/key.ts';
import { insertKey, markUsed } from '../src/keys/store.ts';
import { idAt } from '../src/kit/typeid.ts';
import { insertHistories, proveMethods } from './history-store.ts';
import { type ExamplePage, type Sources, yearOfPages } from './page-year.ts';
import type { Random } from './random.ts';
import type { Scene } from './rota.ts';
import { userIdOf } from './scene.ts';

/** API keys of programs that page; their secrets are unknown. */
const KEYS = [
  { name: 'Alertmanager, Frankfurt', handle: 'jonas' },
  { name: 'Deploy bot', handle: 'tomasz' },
  { name: 'Checkout', handle: 'aisha' },
  { name: 'Warehouse checks', handle: 'grace' },
  { name: 'laptop', handle: 'mira' },
] as const;

/** Inserts a year of pages in their present state. */
export async function fillPages(
  tx: Tx,
  clock: MovableClock,
  scene: Scene,
  random: Random,
): Promise<ExamplePage[]> {
  const sources = await makeKeys(tx, clock, scene);
  const pages = yearOfPages(scene, sources, random);
  await insertHistories(
    tx,
    pages.map(({ history }) => history),
  );
  await proveMethods(tx, scene.organizationId);
  return pages;
}

async function makeKeys(tx: Tx, clock: MovableClock, scene: Scene): Promise<Sources> {
  const { organizationId, now } = scene;
  const sources: Sources = [];
  for (const { name, handle } of KEYS) {
    const userId = userIdOf(scene, handle);
    const { hash, hint } = newKey();
    const id = idAt('api_key', now);
    const expiresAt = name === 'Deploy bot' ? now.add({ hours: 24 * 20 }) : null;
    await insertKey(tx, clock, {
      id,
      organizationId,
      userId,
      name,
      hash,
      hint,
      scopes: ['pages'],
      expiresAt,
    });
    sources.push({ userId, credential: id });
  }
  await markUsed(tx, new Map(sources.map(({ credential }) => [credential, now.subtract({ minutes: 12 })])));
  return sources;
}
