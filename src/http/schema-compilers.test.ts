import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../kit/log.ts';
import { createListener } from './listener.ts';

const NAMED = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const SHORT = { type: 'object', properties: { name: { type: 'string' } } };
const BROKEN = { type: 'no type of JSON' };

describe('schemas of routes', () => {
  let listeners: FastifyInstance[];

  before(async () => {
    const made = () =>
      createListener({
        config: { tls: null, trustProxy: false },
        names: null,
        log: createLog('silent'),
        bodyLimit: 1_024,
      });
    listeners = await Promise.all([made(), made()]);
    for (const listener of listeners) {
      listener.post('/named', { schema: { body: NAMED, response: { 200: SHORT } } }, async ({ body }) => ({
        ...(body as object),
        secret: 'x',
      }));
      listener.post('/broken', { schema: { body: BROKEN } }, async () => ({}));
      await listener.ready();
    }
  });
  after(() => Promise.all(listeners.map((listener) => listener.close())));

  const post = (listener: FastifyInstance, url: string, payload: object) =>
    listener.inject({ method: 'POST', url, payload });

  it('validate requests and shape answers in every listener, with the errors of the current request', async () => {
    for (const listener of [...listeners, ...listeners]) {
      const [good, wrong, missing] = await Promise.all([
        post(listener, '/named', { name: 'Ada' }),
        post(listener, '/named', { name: 7 }),
        post(listener, '/named', {}),
      ]);
      assert.deepEqual([good.statusCode, good.json()], [200, { name: 'Ada' }]);
      assert.equal(wrong.statusCode, 400);
      assert.match(wrong.body, /is 7, a number/);
      assert.match(missing.body, /is missing/);
    }
  });

  it('are compiled when their route is first called, so a broken one is an error only of its route', async () => {
    for (const listener of listeners) {
      assert.equal((await post(listener, '/broken', {})).statusCode, 500);
      assert.equal((await post(listener, '/named', { name: 'Ada' })).statusCode, 200);
    }
  });
});
