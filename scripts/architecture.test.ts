/** Reads the source as text and checks it against ARCHITECTURE.md. Each rule is also run on files that break it. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { LAYERS } from './architecture/layers.ts';
import { links, machinePaths, registries } from './architecture/repository.ts';
import {
  arrows,
  contracts,
  dashboard,
  drawers,
  environment,
  exits,
  listeners,
  ownProcesses,
  packages,
  type Rule,
  stores,
  unfinished,
} from './architecture/rules.ts';
import { readSources, type Source, source } from './architecture/source.ts';
import { threads } from './architecture/threads.ts';

const root = new URL('../', import.meta.url);
const inSource = readSources(root, 'src/**/*.{ts,tsx}');
const inDashboard = readSources(root, 'web/{src,worker}/**/*.{ts,tsx}');
const everywhere = [
  ...inSource,
  ...readSources(root, '{packages,demo,stories,testing,scripts,bench,faults}/**/*.ts'),
];
const files = textFiles();

/** The rule, what it checks, and for each kind of violation a file that it must find. */
const RULES: [string, Rule, readonly Source[], Source[]][] = [
  [
    'imports point downwards, and upwards to contracts only',
    arrows,
    inSource,
    [
      source('src/kit/fault.ts', "import { Clock } from '../db/clock.ts';"),
      source('src/people/rules.ts', "import type { PageRow } from '../pages/store.ts';"),
      source('src/people/rules.ts', "import {\n  a,\n  b,\n} from '../keys/key.ts';"),
      source('src/pages/steps.ts', "const { send } = await import('../notifications/sender.ts');"),
      source('src/pages/steps.ts', "export * from '../notifications/sender.ts';"),
      source('src/pages/steps.ts', "import '../http/errors.ts';"),
      source('src/worker/engine.ts', "import { createApp } from '../app.ts';"),
      source('src/pages/steps.ts', "import { story } from '../../testing/story.ts';"),
      source('src/pages/steps.ts', "await import('../../demo/prepare.ts');"),
      source('src/attic/things.ts', "import { newId } from '../kit/typeid.ts';"),
      // A contract connects rooms; it does not let the kit import from them.
      source('src/kit/fault.ts', "import { URGENCIES } from '../pages/contract.ts';"),
      source('src/db/clock.ts', "import type { Urgency } from '../pages/urgency-contract.ts';"),
    ],
  ],
  [
    'packages stand alone',
    packages,
    readSources(root, 'packages/*/*.ts'),
    [
      source(
        'packages/embedded-postgres/lock.ts',
        "import { errorText } from '../../src/kit/error-text.ts';",
      ),
    ],
  ],
  [
    'contracts import nothing but contracts',
    contracts,
    inSource,
    [
      source('src/pages/contract.ts', "import { sql } from 'kysely';"),
      source('src/pages/contract.ts', "import { nextState } from './transitions.ts';"),
    ],
  ],
  [
    'the dashboard imports nothing but contracts',
    dashboard,
    inDashboard,
    [
      source('web/src/pages/page-row.tsx', "import { nextState } from '../../../src/pages/transitions.ts';"),
      source('web/src/pages/page-row.tsx', "import { story } from '../../../testing/story.ts';"),
    ],
  ],
  [
    'rooms make no listeners',
    listeners,
    inSource,
    [source('src/pages/routes.ts', "import fastify, { type FastifyInstance } from 'fastify';")],
  ],
  [
    'SQL stands in stores',
    stores,
    [...inSource, ...readSources(root, 'demo/*.ts')],
    [
      source('src/pages/steps.ts', "import { sql } from 'kysely';"),
      source('src/pages/steps.ts', 'await tx.updateTable("pages").execute();'),
      source('src/worker/node.ts', "await client.query('select 1');"),
      source('src/pages/restore.ts', "import { type Kysely, sql } from 'kysely';"),
    ],
  ],
  [
    'tests that change their process do not share it',
    ownProcesses,
    [...everywhere, ...inDashboard],
    [
      source('src/pages/environment.test.ts', "process.env.PORT = '1';"),
      source('src/pages/removed.test.ts', 'delete process.env.PORT;'),
      source('src/pages/folder.test.ts', "process.chdir('/');"),
      source('src/pages/memory.test.ts', 'const before = process.memoryUsage();'),
      source('src/pages/clock.test.ts', 't.mock.timers.enable();'),
      source('stories/fetch.test.ts', 'globalThis.fetch = broken;'),
    ],
  ],
  [
    'only config.ts reads the environment',
    environment,
    [...inSource, ...readSources(root, 'packages/*/*.ts')],
    [source('src/pages/steps.ts', 'const { PORT } = process.env;')],
  ],
  [
    'nothing ends the process but its entry and the server',
    exits,
    inSource,
    [source('src/pages/steps.ts', 'process.exit(1);')],
  ],
  [
    'plans and repairs are worked out by threads of their own, not by the one that answers requests',
    threads,
    inSource,
    [
      source(
        'src/planning/solved-plans.ts',
        "import { bestPlan } from './solver/best-plan.ts';\nimport type { Problem } from './solver/problem.ts';",
      ),
      source('src/planning/drafts/solve.ts', "import { problemOf } from '../solver/problem.ts';"),
      source('src/covers/settle.ts', "const { fewestChanges } = await import('./repairs/fewest.ts');"),
      source('src/planning/threads/solver.ts', "import { workOut } from './work-out.ts';"),
      source('src/app.ts', "import { solverForTests } from '../testing/planning/solver.ts';"),
    ],
  ],
  [
    'no file is a drawer',
    drawers,
    everywhere,
    [source('src/pages/utils.ts', ''), source('testing/types.ts', '')],
  ],
  [
    'nothing is left undone',
    unfinished,
    everywhere,
    [source('src/a.ts', `// TO${'DO'} later`), source('src/a.test.ts', `test.${'skip'}('x')`)],
  ],
  [
    'no file names a path of one machine',
    machinePaths(fileURLToPath(root).slice(0, -1)),
    files,
    [
      source('docs/a.md', `see ${fileURLToPath(root)}README.md`),
      source('docs/a.md', `see /${'home'}/ada/tocsin`),
      source('docs/a.md', `cd "/${'root'}/tocsin"`),
    ],
  ],
  [
    'no file names the registry of one machine',
    registries,
    files,
    [
      source('package-lock.json', '"resolved": "https://npm.example.internal/a.tgz"'),
      source('.npmrc', 'registry=https://npm.example.internal/'),
    ],
  ],
  [
    'links lead somewhere',
    links((path) => existsSync(new URL(path, root))),
    files,
    [
      source('docs/a.md', 'See [this](nowhere.md).'),
      source('README.md', '[out](../README.md)'),
      source('docs/a.md', '![picture](images/nothing.png)'),
    ],
  ],
];

for (const [promise, rule, looked, breaches] of RULES) {
  test(promise, () => {
    assert.ok(looked.length > 10 || looked === inDashboard, 'the files were found');
    assert.deepEqual(rule(looked), []);
    for (const breach of breaches)
      assert.equal(rule([breach]).length, 1, `not found: ${breach.path}: ${breach.text.slice(0, 80)}`);
  });
}

test('ARCHITECTURE.md shows the real layers', () => {
  const text = readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');
  const [, drawing = ''] = /^```\n(language ← [\s\S]*?)^```/m.exec(text) ?? [];
  const drawn = drawing.split('←').map((layer) => layer.trim().split(', '));
  assert.deepEqual(drawn, LAYERS);
});

test('valid code causes no complaint', () => {
  const fine = [
    source(
      'src/pages/steps.ts',
      "import type { Tx } from '../db/database.ts';\nimport { isIP } from 'node:net';",
    ),
    source('src/people/rules.ts', "import { URGENCIES } from '../pages/contract.ts';"),
    source('src/pages/routes.ts', "import { type FastifyInstance, type FastifyReply } from 'fastify';"),
    source('src/pages/step-store.ts', "import { sql } from 'kysely';"),
    source(
      'src/pages/steps.test.ts',
      "import { story } from '../../testing/story.ts';\nprocess.env.A = '1';",
    ),
    source('docs/a.md', 'https://example.com/home/ada [b](b.md#top) [c](#here) [d](https://e.example)'),
  ];
  const rules = [
    arrows,
    contracts,
    listeners,
    stores,
    environment,
    exits,
    drawers,
    threads,
    unfinished,
    registries,
  ];
  for (const rule of [...rules, links((path) => path === 'docs/b.md')])
    assert.deepEqual(rule(fine), [], String(rule));
});

/** All files that Git tracks or would add, without binary files. */
function textFiles(): Source[] {
  const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
  });
  return [...new Set(list.toString().split('\0'))]
    .filter((path) => path !== '' && existsSync(new URL(path, root)))
    .map((path) => source(path, readFileSync(new URL(path, root), 'utf8')))
    .filter(({ text }) => !text.includes('\0'));
}
