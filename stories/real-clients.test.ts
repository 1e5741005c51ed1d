/** Programs that know Tocsin only from /openapi.json: a validator, a generated typed client, and schemathesis. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createWebhook } from '../src/webhooks/actions.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const PYTHON = here('node_modules/.cache/tocsin-test-python/bin/python');
const SEED = '20261122';
/** For each operation, by each method of generation. */
const EXAMPLES = '10';
/** Far more than any of them needs on a busy machine. */
const LONGEST_MS = 900_000;
const TYPES = ['custom', 'grafana', 'alertmanager'] as const;

const isInstalled = existsSync(join(dirname(PYTHON), '../installed.txt'));
/** Not every machine has Python and access to PyPI; the run reports that. */
const skip = isInstalled
  ? false
  : 'needs Python 3.10 or later and packages from PyPI; to see what is missing, run: sh scripts/test-python.sh';

describe('programs that read /openapi.json', { timeout: 1_800_000, skip }, () => {
  let t: Story;
  let folder: string;
  let document: string;
  let tokens: Record<string, string>;
  let schedule: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tocsin-clients-'));
    t = await story({
      automatic: true,
      env: { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    // Only admins may upload for themselves and others.
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    const at = await t.clock.now(t.db);
    const made = TYPES.map(async (type) => [
      type,
      (
        await t.db.transaction().execute((tx) =>
          createWebhook(tx, at, t.sealing, {
            ...{ organizationId: t.acme.id, teamId: t.acme.teams.sre ?? '', name: type, type },
            ...{ expiresAt: null, signingSecret: null, settings: {}, createdBy: null },
          }),
        )
      ).token,
    ]);
    tokens = Object.fromEntries(await Promise.all(made));
    schedule = (await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow()).id;
    document = join(folder, 'openapi.json');
    await writeFile(document, JSON.stringify((await t.get('/openapi.json')).body));
  });
  after(async () => {
    t?.receiver.inbox.takeAll();
    await t?.end();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Its output. @throws with the output if it does not exit with 0 */
  async function python(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<{ failed: boolean; printed: string }>();
    const path = `${dirname(PYTHON)}:${process.env.PATH}`;
    const options = { cwd: folder, env: { ...process.env, PATH: path, ...env }, timeout: LONGEST_MS };
    execFile(PYTHON, args, { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ failed: error !== null, printed: `${stdout}${stderr}` }),
    );
    const { failed, printed } = await promise;
    assert.equal(failed, false, printed.slice(0, 20_000));
    return printed;
  }

  it('find it valid', async () => {
    assert.match(await python(['-m', 'openapi_spec_validator', document]), /OK/);
  });

  it('are generated from it with types that hold, and do everything', async () => {
    const client = join(folder, 'tocsin_client');
    const generate = ['-m', 'openapi_python_client', 'generate', '--path', document, '--meta', 'none'];
    await python([...generate, '--output-path', client, '--overwrite']);
    await copyFile(here('testing/clients/use_client.py'), join(folder, 'use_client.py'));
    await python(['-m', 'mypy', '--strict', '--follow-imports=silent', 'use_client.py']);
    const printed = await python(['use_client.py'], {
      SERVICE_URL: t.url,
      UPLOAD_URL: t.uploadUrl,
      SERVICE_KEY: t.acme.key,
      CUSTOM_TOKEN: tokens.custom ?? '',
    });
    const { request, records } = JSON.parse(printed) as { request: string; records: number };
    assert.equal((await t.status(request)).success, true);
    assert.equal(records, 1);
  });

  for (const [what, url, chosen] of [
    ['the API', () => t.url, ['--exclude-path', '/availabilities/upload']],
    ['uploads', () => t.uploadUrl, ['--include-path', '/availabilities/upload']],
  ] as const)
    it(`find nothing wrong with ${what} (schemathesis, seed ${SEED})`, async () => {
      const known = {
        paths: {
          '/schedules/{id}/oncalls': { id: schedule },
          '/moment/{token}': { token: tokens.custom },
          '/moment/{token}/{integration}': { token: tokens.grafana, integration: 'grafana' },
        },
        recipients: {
          ...{ '/page/team': 'sre', '/page/acknowledge': 'sre', '/page/resolve': 'sre' },
          '/page/person': 'ada@example.com',
        },
      };
      const run = ['-m', 'schemathesis.cli', 'run', document, '--url', url(), ...chosen];
      const terms = ['--seed', SEED, '--max-examples', EXAMPLES, '--phases', 'coverage,fuzzing,stateful'];
      const output = ['--checks', 'all', '--generation-database', 'none', '--no-color'];
      const printed = await python(
        [...run, ...terms, ...output, '-H', `Authorization: Bearer ${t.acme.key}`],
        {
          SCHEMATHESIS_HOOKS: 'schemathesis_hooks',
          PYTHONPATH: here('testing/clients'),
          PYTHONDONTWRITEBYTECODE: '1',
          KNOWN_THINGS: JSON.stringify(known),
        },
      );
      assert.match(printed, /\d+ passed/);
      t.receiver.inbox.takeAll();
    });
});
