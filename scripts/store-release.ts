/**
 * Stores a data directory and the source of a release, for the tests that upgrade it: `node scripts/store-release.ts <tree> <version>`.
 * `tree` is a checkout of the release with its packages. Writes `<version>.tar.zst` in `stories/releases` and `stories/releases/source`.
 */
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../testing/command-line.ts';
import { webhookReceiver } from '../testing/fakes/webhook-receiver.ts';
import {
  RELEASE_KEY,
  releaseFile,
  releaseOrganization,
  sourceFile,
  storeRelease,
  storeSource,
} from '../testing/stored-release.ts';

const [tree, version] = process.argv.slice(2);
if (!tree || !version) throw new Error('usage: node scripts/store-release.ts <tree> <version>');

const receiver = await webhookReceiver();
const release = commandLine(null, tree);
const dataDir = release.env.DATA_DIR ?? '';
const env = { SECRET_KEY: '', ALLOW_PRIVATE_WEBHOOKS: 'true' };

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await release.run(args, { env });
  if (code !== 0) throw new Error(stderr);
  return stdout.trim();
}

const organization = join(dataDir, '..', `${randomUUID()}.yaml`);
writeFileSync(organization, releaseOrganization(receiver.url));
const server = await release.serve(env);
const applied = await run('apply', organization);
receiver.secret = /ada@example\.com .* (whsec_\S+)/.exec(applied)?.[1] ?? '';
const key = await run('key', 'create', '--user', 'ada@example.com', '--name', 'laptop');
const webhook = await run('webhook', 'create', '--team', 'sre', '--name', 'CI', '--type', 'custom');

async function post(path: string, body: unknown): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': randomUUID(),
  };
  const answer = await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

for (const title of ['Acknowledged', 'Still open'])
  await post('/page/team', { recipient: 'sre', title, text: 'as stored', urgency: 'high' });
const { body } = await receiver.expect((sent) => sent.body.title === 'Acknowledged');
const { pathname, search } = new URL(String(body.acknowledge_url));
await fetch(server.url + pathname + search, { method: 'POST', headers: { accept: 'application/json' } });
await receiver.expect((sent) => sent.body.title === 'Still open');
const { pathname: hook } = new URL(/https?:\S+/.exec(webhook)?.[0] ?? '');
await post(hook, { name: 'Stored incident', type: 'incident', source: 'CI' });
await server.stop();
await receiver.stop();

writeFileSync(join(dataDir, RELEASE_KEY), JSON.stringify({ key, hook }));
storeRelease(dataDir, version);
storeSource(tree, version);
rmSync(organization);
release.remove();
process.stdout.write(`${releaseFile(version)}\n${sourceFile(version)}\n`);
