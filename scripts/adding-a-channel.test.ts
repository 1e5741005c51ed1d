/**
 * CONTRIBUTING.md lists the files that a new channel touches. This adds a toy channel to a copy of the tree by changing
 * only those files: it must compile and work.
 */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../', import.meta.url));
const run = promisify(execFile);

const CHANNELS = 'src/notifications/channels';

/** The files of the toy channel: a pager network with seven-digit numbers. */
const NEW_FILES: Record<string, string> = {
  [`${CHANNELS}/pager/contract.ts`]: `
import type { ChannelDescription } from '../description-contract.ts';

export const pager = {
  words: {
    name: 'Pager',
    short: 'pager',
    way: 'by pager',
    plural: 'Pagers',
    explained: 'Through a pager network.',
    test: 'Send a test',
  },
  method: {
    type: 'pager',
    name: 'Pager',
    lacking: 'no verified pager',
    codeSent: 'We sent a code there.',
    repair: 'Check the number',
    form: {
      label: 'Number',
      hint: 'Seven digits',
      placeholder: '1234567',
      keyboard: 'tel',
      example: 'a pager number such as "1234567"',
    },
    detail: null,
    signed: false,
    called: false,
    published: true,
    notices: 'never',
    shown: (value: string) => value,
    hinted: (value: string) => value.replace(/^\\d{4}/, '••••'),
  },
  byDefault: { high: [0, 3] },
  onlyIfUrgent: true,
  mostPerMinute: 2,
  concurrency: 5,
  whenOver: 'message',
} as const satisfies ChannelDescription;
`,
  [`${CHANNELS}/pager/settings.ts`]: `
import { readUrl } from '../../../kit/setting.ts';
import type { ProviderSettings } from '../settings.ts';

export type PagerSettings = { pager: { url: string } | null };

export const PAGER: ProviderSettings<'PAGER_URL', PagerSettings> = {
  names: ['PAGER_URL'],
  read(read) {
    const url = readUrl('PAGER_URL', read, ['http:', 'https:']);
    return { pager: url === null ? null : { url } };
  },
};
`,
  [`${CHANNELS}/pager/channel.ts`]: `
import type { Channel } from '../channel.ts';
import type { ChannelCode } from '../channel-code.ts';
import { post } from '../http-call.ts';
import { isMessage } from '../message.ts';
import { accepted, makeChannel, refused, retry } from '../outcome.ts';
import { PAGER, type PagerSettings } from './settings.ts';

const NOT_CONFIGURED = 'Pagers are not set up: set PAGER_URL.';

export function pagerChannel({ pager }: PagerSettings): Channel {
  return makeChannel('pager', pager ? null : NOT_CONFIGURED, async (content, address, signal) => {
    if (!pager) return refused(NOT_CONFIGURED);
    const text = isMessage(content) ? content.subject : content.title;
    const body = JSON.stringify({ to: address.value, text });
    const result = await post({ url: new URL(pager.url), headers: {}, body, signal, answer: 'remarks' });
    if (result.kind === 'failure') return retry(result.error, { maybeSent: result.maybeSent });
    return result.status < 300 ? accepted(null) : refused(\`The network answered \${result.status}.\`);
  });
}

export const pagerCode = {
  settings: PAGER,
  build: pagerChannel,
  method: {
    value: (text) => (/^\\d{7}$/.test(text) ? { value: text } : { problem: 'is not a number of seven digits' }),
  },
  load: null,
  callbacks: null,
  mutable: true,
} satisfies ChannelCode;
`,
  'testing/fakes/fake-pager.ts': `
import { ScriptedServer } from './scripted-server.ts';

export async function fakePager() {
  const received: unknown[] = [];
  const server = await ScriptedServer.start(({ raw }) => {
    received.push(JSON.parse(raw));
    return { status: 202 };
  });
  return { url: server.origin, received, stop: () => server.stop() };
}
`,
};

/** Lines that are added, each before another. */
const NEW_LINES: [path: string, before: string, added: string][] = [
  [`${CHANNELS}/contract.ts`, 'import { push }', "import { pager } from './pager/contract.ts';\n"],
  [`${CHANNELS}/contract.ts`, ', webhook, browser } as const;', ', pager'],
  [`${CHANNELS}/registry.ts`, 'import { pushCode }', "import { pagerCode } from './pager/channel.ts';\n"],
  [`${CHANNELS}/registry.ts`, '  browser: browserCode,', '  pager: pagerCode,\n'],
];

/** How to set it up, and its settings. */
const PAGES = ['docs/channels.md', 'docs/operations.md'];

/** Uses the toy as the service would, and prints the result. */
const TRIAL = `
import { readConfig } from './src/config.ts';
import { readContactMethod } from './src/apply/file/contact-method.ts';
import { CHANNELS, METHOD_TYPES } from './src/notifications/channels/contract.ts';
import { buildChannels } from './src/notifications/channels/registry.ts';
import { planNotifications } from './src/people/rules.ts';
import { fakePager } from './testing/fakes/fake-pager.ts';
import { aNotification } from './testing/fakes/notification.ts';

const fake = await fakePager();
const config = readConfig({ PAGER_URL: fake.url });
const { pager } = buildChannels(config).channels;
const address = { value: '1234567', userId: 'organization_user_1' };
const { kind } = await pager.send(aNotification(), address, AbortSignal.timeout(60_000));
const method = { id: 'm', type: 'pager' as const, value: '1234567', verified: true, position: 0 };
const planned = planNotifications('high', [], [method]).filter(({ channel }) => channel === 'pager');
const written = (value: string) => readContactMethod({ type: 'pager', value });
console.log(
  JSON.stringify({
    kind,
    received: fake.received,
    listed: [CHANNELS.includes('pager'), METHOD_TYPES.includes('pager')],
    after: planned.map(({ afterMs }) => afterMs / 60_000),
    written: [written('7654321'), written('12')],
  }),
);
await fake.stop();
`;

let tree: string;
before(() => {
  tree = mkdtempSync(join(tmpdir(), 'tocsin-toy-'));
  for (const name of [
    'src',
    'packages',
    'demo',
    'web',
    'languages',
    'testing',
    'docs',
    'tsconfig.json',
    'package.json',
  ])
    cpSync(join(root, name), join(tree, name), {
      recursive: true,
      filter: (from) => !/\/(dist|node_modules)$/.test(from),
    });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  for (const [path, text] of Object.entries(NEW_FILES)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text.trimStart());
  }
  for (const [path, before, added] of NEW_LINES) {
    const text = readFileSync(join(tree, path), 'utf8');
    assert.ok(text.includes(before), `${path} has no ${JSON.stringify(before)}`);
    writeFileSync(join(tree, path), text.replace(before, added + before));
  }
  for (const path of PAGES) appendFileSync(join(tree, path), '\n## Pagers\n\nSet `PAGER_URL`.\n');
});
after(() => rmSync(tree, { recursive: true }));

test('CONTRIBUTING lists the files that a toy channel touches, and no others', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const section = /^## A channel\n(.*?)^## /ms.exec(text)?.[1] ?? '';
  const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, path]) =>
    path?.replaceAll('NAME', 'pager'),
  );
  const touched = [...Object.keys(NEW_FILES), ...NEW_LINES.map(([path]) => path), ...PAGES];
  assert.deepEqual(listed.toSorted(), [...new Set(touched)].toSorted());
});

test('the compiler names no other file of the service or the dashboard', async () => {
  const tsc = join(root, 'node_modules/.bin/tsc');
  const found = await Promise.all(
    ['.', 'web'].map((project) =>
      // Threads of the compiler repeat each other's work.
      run(tsc, ['-p', join(tree, project), '--checkers', '1']).then(
        () => '',
        ({ stdout }: { stdout: string }) => stdout,
      ),
    ),
  );
  assert.deepEqual(found, ['', '']);
});

test('the toy channel is listed, planned, read from the file and used', async () => {
  writeFileSync(join(tree, 'trial.ts'), TRIAL);
  const { stdout } = await run(process.execPath, [join(tree, 'trial.ts')], { cwd: tree });
  assert.deepEqual(JSON.parse(stdout), {
    kind: 'accepted',
    received: [{ to: '1234567', text: 'Disk full on db-1' }],
    listed: [true, true],
    after: [0, 3],
    written: [
      { method: { type: 'pager', value: '7654321', chatUserId: null } },
      { problems: [{ field: 'value', message: 'is not a number of seven digits' }] },
    ],
  });
});
