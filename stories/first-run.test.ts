import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { announceLink, welcome } from '../src/installation/welcome.ts';
import { commandLine } from '../testing/command-line.ts';
import { dashboardClient } from '../testing/dashboard-client.ts';
import { testDatabase } from '../testing/database.ts';
import { type Story, story } from '../testing/story.ts';

const OWNER = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  organization: 'Acme',
  time_zone: 'Europe/Berlin',
  password: 'correct horse battery',
};

describe('the first owner of an empty installation', () => {
  let t: Story;
  let token: string;

  before(async () => {
    t = await story({ organization: { people: { ada: {} } } });
    await t.db.deleteFrom('organizations').execute();
    const link = new URL((await t.app.firstRunLink()) ?? '');
    assert.equal(link.origin + link.pathname, `${t.url}/welcome`);
    token = link.hash.slice(1);
  });
  after(() => t.end());

  const make = (body: object) => dashboardClient(t.url).call('POST', '/api/sign-in/first-run', body);

  it('finds out where the link is, but not the link', async () => {
    const { body } = await dashboardClient(t.url).call('GET', '/api/sign-in');
    assert.deepEqual(body, { empty: true, passkey: false, oidc: null, reset: false });
  });

  it('is created only with the printed link, and all problems are shown at once', async () => {
    const wrong = await make({ ...OWNER, token: 'x'.repeat(22) });
    assert.deepEqual([wrong.status, wrong.body.details[0].field], [403, 'link']);
    const bad = await make({ ...OWNER, token, email: 'ada', password: 'short', time_zone: 'Europe/Berlin' });
    assert.deepEqual(
      bad.body.details.map(({ field }: { field: string }) => field),
      ['email', 'password'],
    );
    assert.equal((await make({ ...OWNER, token, time_zone: 'Mars/Olympus' })).status, 400);
  });

  it('is created once, however many try at once, and signed in', async () => {
    const clients = Array.from({ length: 5 }, () => dashboardClient(t.url));
    const answers = await Promise.all(
      clients.map((client) =>
        client.call('POST', '/api/sign-in/first-run', { ...OWNER, token, language: 'de' }),
      ),
    );
    const { language } = await t.db.selectFrom('organizations').select('language').executeTakeFirstOrThrow();
    assert.equal(language, 'de', 'messages are in the language in which the owner was welcomed');
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 410, 410, 410, 410]);
    const owner = clients[answers.findIndex(({ status }) => status === 200)];
    const session = (await owner?.call('GET', '/api/session'))?.body;
    assert.deepEqual(
      [session.user.name, session.user.role, session.user.time_zone, session.organization.name],
      ['Ada Lovelace', 'owner', 'Europe/Berlin', 'Acme'],
    );
    assert.equal(await t.app.firstRunLink(), null);
    assert.equal((await make({ ...OWNER, token })).status, 410);
  });
});

describe('the link that creates the first owner', () => {
  it('is shown on a terminal, but never in a journal: there, a file holds it for the user who runs the service', async () => {
    const database = await testDatabase();
    const tocsin = commandLine(database.url);
    const file = join(tocsin.env.DATA_DIR ?? '', 'welcome-link');
    const server = await tocsin.serve({ LOG_LEVEL: 'trace' });
    try {
      while (!server.said().includes(`cat ${file}`)) await new Promise((resolve) => setTimeout(resolve, 20));
      const link = readFileSync(file, 'utf8').trim();
      const token = new URL(link).hash.slice(1);
      assert.equal(statSync(file).mode & 0o777, 0o600);
      assert.equal(server.said().includes(token), false);
      assert.doesNotMatch(server.said(), /\/welcome#/);
      assert.ok((await announceLink(welcome(link), tocsin.env.DATA_DIR ?? '', true)).includes(link));
      const body = { ...OWNER, token };
      assert.equal(
        (await dashboardClient(server.url).call('POST', '/api/sign-in/first-run', body)).status,
        200,
      );
      await (await tocsin.serve()).stop();
      assert.equal(existsSync(file), false);
    } finally {
      await server.stop();
      tocsin.remove();
      await database.drop();
    }
  });
});
