import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { endpoint } from './endpoint-contract.ts';
import { route } from './route.ts';

const find = endpoint('GET /api/things/:id', {
  summary: 'Find',
  query: Type.Object({
    limit: Type.Integer({ minimum: 1, default: 10 }),
    deep: Type.Optional(Type.Boolean()),
    text: Type.Optional(Type.String()),
  }),
  response: Type.Object({ id: Type.String(), limit: Type.Integer() }),
});

describe('a route', () => {
  let listener: FastifyInstance;
  before(async () => {
    listener = fastify({ ajv: { customOptions: { coerceTypes: false, strict: false } } });
    await listener.register(
      async (api) =>
        route(api, find, async ({ params: { id }, query: { limit, deep, text } }) => {
          const more = { deep, text };
          return { id, limit, ...more };
        }),
      { prefix: '/api' },
    );
  });
  after(() => listener.close());
  const get = async (url: string) => {
    const { statusCode, body } = await listener.inject(url);
    return { status: statusCode, body: JSON.parse(body) };
  };

  it('converts numbers and booleans of the query, and leaves texts alone', async () => {
    assert.deepEqual(await get('/api/things/a?limit=3&deep=true&text=7'), {
      status: 200,
      body: { id: 'a', limit: 3, deep: true, text: '7' },
    });
    assert.equal((await get('/api/things/a')).body.limit, 10);
  });

  it('refuses an invalid number or boolean, and a parameter longer than 100 characters', async () => {
    for (const url of ['a?limit=x', 'a?limit=1e3', 'a?limit=0', 'a?deep=1', 'x'.repeat(101)])
      assert.ok((await get(`/api/things/${url}`)).status >= 400, url);
  });
});
