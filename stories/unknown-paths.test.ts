import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Story, story } from '../testing/story.ts';

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

/** Mistyped paths, paths of an older version, and paths of things that do not exist. */
const PATHS = [
  ...['/nothing', '/nothing/here', '/api', '/api/', '/api/nothing', '/api/pages/page_x/nothing'],
  ...[
    '/page',
    '/page/x',
    '/page/team/x',
    '/page/person/x/y',
    '/moment',
    '/moment/x/y/z',
    '/on-calls',
    '/on-calls/x',
  ],
  ...[
    '/schedules/x',
    '/schedules/x/edit',
    '/schedules/x/on-calls/y',
    '/request',
    '/request/x',
    '/requests/x',
  ],
  ...[
    '/pages/x',
    '/pages/page_x/y',
    '/people/x',
    '/moments/x',
    '/notifications/x',
    '/teams/x',
    '/webhooks/x',
  ],
  ...['/availability/x', '/availabilities/x', '/users/x', '/index.php', '/.env', '/%00', '/a%2fb'],
];

describe('a path that does not exist', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization: { people: { ada: {} } } });
  });
  after(() => t.end());

  async function asked(method: string, path: string, headers: Record<string, string>) {
    const response = await fetch(t.url + path, { method, headers, redirect: 'manual' });
    return {
      status: response.status,
      type: response.headers.get('content-type') ?? '',
      text: await response.text(),
    };
  }

  function assertJson(answer: Awaited<ReturnType<typeof asked>>, where: string): void {
    assert.match(answer.type, /^application\/json/, where);
    const body = JSON.parse(answer.text) as { error: unknown; details: unknown };
    assert.deepEqual([typeof body.error, Array.isArray(body.details)], ['string', true], where);
  }

  it('is JSON and 404 for programs, whatever they accept and whatever their credentials', async () => {
    const authorization = `Bearer ${t.acme.key}`;
    const programs: Record<string, string>[] = [
      {},
      { accept: '*/*' },
      { accept: 'application/json' },
      { accept: 'application/json', authorization },
      { authorization },
      { ...BROWSER, authorization },
    ];
    for (const path of PATHS)
      for (const headers of programs) {
        const answer = await asked('GET', path, headers);
        const where = `${path} ${JSON.stringify(headers)}`;
        assertJson(answer, where);
        // /api authenticates before it reveals which paths exist, and some names accept only POST.
        assert.ok([404, 401, 403, 405, 400].includes(answer.status), `${where}: ${answer.status}`);
        if (!/^\/(api|page|moment|request|on-calls)\b/.test(path) && path !== '/%00')
          assert.equal(answer.status, 404, where);
      }
  });

  it('is JSON for every other method, even for browsers', async () => {
    for (const path of PATHS)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await asked(method, path, BROWSER);
        assertJson(answer, `${method} ${path}`);
        assert.ok(answer.status >= 400 && answer.status < 500, `${method} ${path}: ${answer.status}`);
      }
  });

  it('is the dashboard for browsers, which shows that', async () => {
    for (const path of ['/nothing', '/nothing/here', '/page/x', '/on-calls/x', '/index.php']) {
      const answer = await asked('GET', path, BROWSER);
      assert.deepEqual([answer.status, answer.type.split(';')[0]], [404, 'text/html'], path);
    }
    for (const path of ['/pages/x', '/people/x', '/schedules/x', '/teams/x']) {
      const answer = await asked('GET', path, BROWSER);
      assert.deepEqual([answer.status, answer.type.split(';')[0]], [200, 'text/html'], path);
    }
  });

  it('does not hide existing paths', async () => {
    for (const path of ['/', '/pages', '/schedules/new', '/sign-in', '/problems']) {
      const answer = await asked('GET', path, { accept: '*/*' });
      assert.deepEqual([answer.status, answer.type.split(';')[0]], [200, 'text/html'], path);
    }
  });
});
