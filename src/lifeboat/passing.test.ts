import assert from 'node:assert/strict';
import { it } from 'node:test';
import { routeNames } from '../people/rights.ts';
import { isTaken } from './passing.ts';

const pages =
  /^POST \/page\/|enqueue|create_event|\/v2\/alerts|incoming|\/v1\/api\/alerts|^POST \/integrations\//;
const heartbeats = /heartbeat/;

it('takes every route that pages, answers and resolves, but no heartbeats or reads', () => {
  const taken = routeNames().filter(isTaken);
  const wanted = routeNames().filter(
    (name) => pages.test(name) && !heartbeats.test(name) && !name.startsWith('GET '),
  );
  assert.ok(wanted.length > 20, wanted.join());
  assert.deepEqual(
    wanted.filter((name) => !taken.includes(name)),
    [],
  );
  const others = taken.filter((name) => !wanted.includes(name));
  for (const name of others) assert.match(name, /callbacks|healthz|readyz|integrations\/authenticate$/);
});
