/** The clients that PagerDuty and Opsgenie give their users, over HTTPS with a private certificate. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventually } from '../testing/eventually.ts';
import { selfSigned } from '../testing/self-signed.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const run = promisify(execFile);
const here = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const PYTHON = here('node_modules/.cache/tocsin-test-python/bin/python');
const GO_FOLDER = here('testing/clients/go-dialects');
/** Far more than any of them needs on a busy machine. */
const LONGEST_MS = 600_000;

const withoutPython = existsSync(PYTHON)
  ? false
  : 'needs Python 3.10 or later and packages from PyPI; to see what is missing, run: sh scripts/test-python.sh';
/** Fetches the modules, for which it needs a Go module proxy. */
const fetched = spawnSync('go', ['mod', 'download'], {
  cwd: GO_FOLDER,
  encoding: 'utf8',
  timeout: LONGEST_MS,
});
const withoutGo =
  fetched.status === 0
    ? false
    : `needs Go 1.21 or later and the modules of testing/clients/go-dialects: ${fetched.error?.message ?? fetched.stderr}`;

describe('clients of PagerDuty and Opsgenie', { timeout: 1_800_000 }, () => {
  let t: Story;
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tocsin-dialects-'));
    const names = 'IP:127.0.0.1,DNS:localhost,DNS:api.localhost';
    // Go programs read the real clock, whatever time `npm test -- --at` sets.
    const { cert, key } = selfSigned({ names, from: -3_650, until: 3_650 });
    const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(certFile, cert), writeFile(keyFile, key)]);
    t = await story({
      automatic: true,
      env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada'),
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
      }),
    });
    const keyFor = async (type: string) => (await t.source({ team: 'sre', type, name: type })).key ?? '';
    env = {
      SERVICE_URL: t.url,
      SERVICE_ADDRESS: new URL(t.url).host,
      PAGERDUTY_KEY: await keyFor('pagerduty-events'),
      OPSGENIE_KEY: await keyFor('opsgenie-api'),
      ...{ CERTIFICATE: certFile, SSL_CERT_FILE: certFile, REQUESTS_CA_BUNDLE: certFile },
    };
  });
  after(async () => {
    t?.receiver.inbox.takeAll();
    await t?.end();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** The output as JSON. @throws with the output if it is not JSON */
  async function printed(
    program: string,
    args: readonly string[],
    cwd: string,
  ): Promise<Record<string, unknown>> {
    const options = { cwd, env: { ...process.env, ...env }, timeout: LONGEST_MS };
    const { stdout } = await run(program, args, options);
    return JSON.parse(stdout);
  }

  const pagesOf = (dedupKey: string) =>
    t.db.selectFrom('pages').select(['id', 'state', 'title']).where('dedup_key', '=', dedupKey).execute();

  async function isOver(dedupKey: unknown): Promise<void> {
    assert.equal(typeof dedupKey, 'string');
    await eventually(async () => (await pagesOf(String(dedupKey))).map(({ state }) => state), ['resolved']);
  }

  it('of Python page, and read the result', { skip: withoutPython }, async () => {
    const { pagerduty, pdpyras, opsgenie } = await printed(
      PYTHON,
      [here('testing/clients/use_dialects.py')],
      folder,
    );
    await isOver(pagerduty);
    await isOver(pdpyras);
    const [page] = await pagesOf('disk/db 3');
    assert.deepEqual(opsgenie, {
      ...{ id: page?.id, status: 'closed', message: 'Disk nearly full', listed: [page?.id], count: 1 },
      notes: ['Changed the title. Before: Disk full', 'On it'],
    });
  });

  it('of Go page, and read the result', { skip: withoutGo }, async () => {
    const program = join(folder, 'go-dialects');
    await run('go', ['build', '-o', program, '.'], { cwd: GO_FOLDER, timeout: LONGEST_MS });
    const { pagerduty, opsgenie } = await printed(program, [], folder);
    await isOver(pagerduty);
    const [page] = await pagesOf('disk/db-5');
    assert.deepEqual([opsgenie, 'resolved'], [page?.id, page?.state]);
  });
});
