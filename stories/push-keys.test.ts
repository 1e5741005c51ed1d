/**
 * Push keys that are lost or changed are never replaced silently: otherwise pushes would reach nobody, and nobody would
 * know.
 */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLine } from '../testing/command-line.ts';
import { testDatabase } from '../testing/database.ts';
import { runOn } from '../testing/postgres.ts';

const ORGANIZATION = `
organization: { name: Acme, time_zone: UTC }
users: [ { email: ada@example.com, name: Ada, role: owner, contact_methods: [ { type: webhook, value: "https://example.com/ada" } ] } ]
teams: [ { name: Site Reliability, slug: sre, members: [ada@example.com] } ]
`;

test('a missing vapid.json ends the subscriptions of the old one, and the log, doctor and their people are informed', {
  timeout: 300_000,
}, async (t) => {
  const database = await testDatabase();
  const tocsin = commandLine(database.url);
  t.after(async () => {
    tocsin.remove();
    await database.drop();
  });
  const dataDir = tocsin.env.DATA_DIR ?? '';
  const file = join(dataDir, 'acme.yaml');
  writeFileSync(file, ORGANIZATION);
  assert.equal((await tocsin.run(['apply', file])).code, 0);
  const served = async () => {
    const server = await tocsin.serve();
    await server.stop();
    return server.said();
  };
  const rows = async (statement: string) => (await runOn(database.url, statement)).rows;
  const verified = () =>
    rows(`select verified_at is not null as yes from contact_methods where type = 'push'`);
  const told = () => rows(`select count(*)::int as n from notices where kind = 'push.ended'`);

  await served();
  await rows(`insert into contact_methods (id, organization_id, user_id, position, type, value, push_keys, verified_at, created_at, updated_at)
    select 'contact_method_push', organization_id, id, 9, 'push', 'https://push.example.com/ada', '{"p256dh":"x","auth":"y"}', now(), now(), now()
    from users where email = 'ada@example.com'`);
  assert.doesNotMatch(await served(), /push keys/);
  assert.deepEqual(await verified(), [{ yes: true }]);

  rmSync(join(dataDir, 'vapid.json'));
  assert.match(await served(), /The push keys were replaced: push subscriptions of one person ended/);
  assert.deepEqual(await verified(), [{ yes: false }]);
  assert.deepEqual(await told(), [{ n: 1 }]);
  assert.match(
    (await tocsin.run(['doctor'])).stdout,
    /The push keys were replaced[\s\S]*turn push off and on/,
  );

  assert.doesNotMatch(await served(), /push keys/);
  assert.deepEqual(await told(), [{ n: 1 }]);
});
