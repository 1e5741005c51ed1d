import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { createListener } from '../../src/http/listener.ts';
import { createKeys } from '../../src/keys/authenticate.ts';
import { createBudgets } from '../../src/keys/budget.ts';
import type { Scope } from '../../src/keys/contract.ts';
import { newKey } from '../../src/keys/key.ts';
import { insertKey } from '../../src/keys/store.ts';
import { createLog } from '../../src/kit/log.ts';
import { newId } from '../../src/kit/typeid.ts';
import { scheduleRoutes } from '../../src/schedules/routes.ts';
import { curl } from '../curl.ts';
import { type Rota, startRota } from './story.ts';

/** A Wednesday; the hand-off of weekly shifts is on Monday at 08:00 UTC. */
export const NOW = '2026-11-18T12:00:00Z';

export type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
/** The routes on a listener of their own, with an API key of the first person. */
export type Api = {
  rota: Rota;
  url: string;
  key: string;
  keyOf(organizationId: string, userId: string, scopes?: Scope[]): Promise<string>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  /** Runs the real curl; `args` are added to the URL and the key. */
  curl(path: string, ...args: string[]): Promise<Answer>;
};

export async function startApi(t: TestContext, handles?: string[]): Promise<Api> {
  const rota = await startRota(t, NOW, handles);
  const { db, clock } = rota;
  const listener = await createListener({
    config: { tls: null, trustProxy: false },
    log: createLog('silent'),
    bodyLimit: 256 * 1024,
    names: null,
  });
  const budgets = createBudgets({ perSecond: 1_000, burst: 1_000 });
  scheduleRoutes(listener, { db, clock, keys: createKeys(db, clock), budgets });
  const url = await listener.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => listener.close());
  const keyOf: Api['keyOf'] = async (organizationId, userId, scopes) => {
    const { key, hash, hint } = newKey();
    const id = newId('api_key');
    await insertKey(db, clock, {
      ...{ id, organizationId, userId, hash, hint },
      name: 'test',
      scopes: scopes ?? null,
      expiresAt: null,
    });
    return key;
  };
  const key = await keyOf(rota.organizationId, Object.values(rota.people)[0] ?? '');
  return {
    rota,
    url,
    key,
    keyOf,
    async get(path, headers = {}) {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
      const body = (await response.json()) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, body };
    },
    curl: async (path, ...args) => ({ ...(await curl(key, url + path, args)), headers: new Headers() }),
  };
}

/** The fields that an error answer names. */
export const fields = ({ status, body }: Answer) => {
  assert.deepEqual([status, body.error], [400, 'Invalid request'], JSON.stringify(body));
  return (body.details as { field: string; message: string }[]).map(({ field }) => field).sort();
};
