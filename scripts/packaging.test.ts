/** Finds files of packaging that do not fit the service, which `npm run image` would only find after minutes. */
import '../testing/own-process.ts';
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { readConfig, SETTING_NAMES } from '../src/config.ts';
import { freePort } from '../testing/free-port.ts';
import { HOST, isRegistered, PLATFORMS, platformNamed } from './image/platform.ts';
import { programsIn } from './image/programs.ts';
import { createReport } from './image/report.ts';
import { PARTS, readWanted } from './image/wanted.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as {
  version: string;
  dependencies: Record<string, string>;
};

type Service = {
  environment: Record<string, string>;
  stop_grace_period: string;
  read_only?: boolean;
  volumes: string[];
};
const services = (file: string) => (parse(read(file)) as { services: Record<string, Service> }).services;

/** What Compose does with `${NAME:-default}` and `${NAME:?error}`. */
function filledIn(environment: Record<string, string>): Record<string, string> {
  const fill = (text: string) =>
    text.replaceAll(/\$\{\w+:([-?])([^}]*)\}/g, (_, kind, rest) => (kind === '-' ? rest : 'x'));
  return Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, fill(text)]));
}

describe('the compose files', () => {
  const { tocsin } = services('compose.yaml');
  const { tocsin: withPostgres } = services('compose.postgres.yaml');
  assert.ok(tocsin && withPostgres);

  it('have settings with which the service starts', () => {
    const embedded = readConfig(filledIn(tocsin.environment));
    assert.equal(embedded.publicUrl, 'https://localhost');
    assert.equal(embedded.databaseUrl, null);
    const external = readConfig(filledIn({ ...tocsin.environment, ...withPostgres.environment }));
    assert.equal(external.databaseUrl, 'postgres://tocsin:x@postgres/tocsin');
  });

  it('keep the data in a volume, and leave time for the shutdown', () => {
    assert.equal(tocsin.read_only, true);
    assert.ok(tocsin.volumes.includes('data:/data'));
    assert.ok(Number.parseInt(tocsin.stop_grace_period, 10) >= readConfig({}).drainSeconds + 60);
  });
});

describe('the chart', () => {
  const deployment = read('packaging/chart/templates/deployment.yaml');
  const values = parse(read('packaging/chart/values.yaml')) as { drainSeconds: number };

  it('has the version of the service', () => {
    const { version, appVersion } = parse(read('packaging/chart/Chart.yaml')) as Record<string, string>;
    assert.deepEqual([version, appVersion], [manifest.version, manifest.version]);
  });

  it('uses existing settings, and their defaults', () => {
    const names = [...deployment.matchAll(/name: ([A-Z][A-Z_]+)\b/g)].map(([, name = '']) => name);
    assert.ok(names.length > 6);
    assert.deepEqual(
      names.filter((name) => !(SETTING_NAMES as readonly string[]).includes(name)),
      [],
    );
    assert.equal(values.drainSeconds, readConfig({}).drainSeconds);
  });

  it('excludes variables of Kubernetes that look like settings', () => {
    assert.match(deployment, /enableServiceLinks: false/);
    assert.throws(() => readConfig({ TOCSIN_PORT: 'tcp://10.0.0.1:80' }), /TOCSIN_PORT/);
  });
});

describe('the image', () => {
  const dockerfile = read('Dockerfile');

  it('runs as one user everywhere', () => {
    const user = /^USER (\d+):/m.exec(dockerfile)?.[1];
    assert.ok(user);
    assert.ok(read('packaging/image/system.sh').includes(`tocsin:x:${user}:${user}:`));
    assert.ok(read('packaging/chart/templates/deployment.yaml').includes(`runAsUser: ${user}\n`));
  });

  it('is built with the release of Node.js that is pinned', () => {
    const major = manifest.dependencies.node?.split('.')[0];
    assert.match(dockerfile, new RegExp(`^ARG BUILD_IMAGE=docker\\.io/library/node:${major}-`, 'm'));
  });

  it('gets every file that the package is made of', () => {
    const context = read('.dockerignore').split('\n');
    for (const name of [
      'bin',
      'demo',
      'examples',
      'migrations',
      'packages',
      'scripts',
      'src',
      'web',
      'packaging',
    ])
      assert.ok(context.includes(`!${name}`), name);
  });

  it('makes the package without emulation, and everything else on its own platform', () => {
    const stages = [...dockerfile.matchAll(/^FROM (.*)$/gm)].map(([, from = '']) =>
      from.replaceAll(/[${}]/g, ''),
    );
    assert.deepEqual(stages, [
      '--platform=BUILDPLATFORM PACKAGE_IMAGE AS package',
      'BUILD_IMAGE AS build',
      'BASE_IMAGE AS system',
      'scratch',
    ]);
    assert.doesNotMatch(dockerfile, /amd64|arm64|x86_64|aarch64/);
  });

  it('has scripts that a shell can parse', () => {
    const scripts = [
      ...globSync('packaging/**/*.sh', { cwd: root }),
      'scripts/image.sh',
      'scripts/prepack.sh',
    ];
    const maintainer = ['postinst', 'prerm', 'postrm'].map((name) => `packaging/debian/${name}`);
    for (const path of [...scripts, ...maintainer]) {
      const { status, stderr } = spawnSync('sh', ['-n', path], { cwd: root, encoding: 'utf8' });
      assert.equal(status, 0, `${path}: ${stderr}`);
    }
  });
});

describe('the health check of the image', () => {
  const check = async (env: Record<string, string>) => {
    const child = spawn(process.execPath, [join(root, 'packaging/healthy.js')], { env, stdio: 'inherit' });
    return (await once(child, 'exit'))[0];
  };

  it('succeeds only if the server reports that it works', async (t) => {
    let status = 200;
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    assert.equal(await check({ PORT: `${port}` }), 0);
    assert.equal(await check({ PORT: `${port}`, HOST: '0.0.0.0' }), 0);
    status = 503;
    assert.equal(await check({ PORT: `${port}` }), 1);
    assert.equal(await check({ PORT: `${await freePort()}` }), 1);
  });
});

describe('the systemd unit', () => {
  const analyze = spawnSync('systemd-analyze', ['--version']).status === 0;
  const skip = analyze ? false : 'systemd-analyze is not installed';

  it('is accepted by systemd, and exposes little', { skip }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-unit-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const unit = join(folder, 'tocsin.service');
    // The command is not installed on this machine.
    writeFileSync(
      unit,
      read('packaging/tocsin.service').replace('ExecStart=/usr/bin/tocsin', 'ExecStart=/bin/sh'),
    );
    const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
    const ours = verified.stderr.split('\n').filter((line) => line.includes('tocsin.service'));
    assert.deepEqual(ours, []);
    const rated = spawnSync('systemd-analyze', ['security', '--offline=true', unit], { encoding: 'utf8' });
    const exposure = Number(/Overall exposure level.*?: (\S+)/.exec(rated.stdout)?.[1]);
    assert.ok(exposure <= 2, `${exposure} of 10`);
  });
});

describe('npm run image', () => {
  it('builds everything for this machine, or what is named for the platform that is named', () => {
    assert.deepEqual(readWanted([]), { platform: HOST, parts: PARTS });
    for (const platform of PLATFORMS) {
      const options = ['--platform', platform.name];
      assert.deepEqual(readWanted(['page', ...options, 'build']), { platform, parts: ['build', 'page'] });
    }
  });

  it('says which argument is wrong, and what it may be', () => {
    assert.throws(
      () => readWanted(['--platform', 'linux/riscv64']),
      /"linux\/riscv64".*linux\/amd64 and linux\/arm64/,
    );
    assert.throws(() => readWanted(['--platform=linux/amd64,linux/arm64']), /one at a time/);
    assert.throws(() => readWanted(['images']), /"images" is no part; the parts are build, page/);
    assert.throws(() => readWanted(['--arch', 'arm64']), /--arch/);
  });

  it('relies only on an emulator that also runs inside of containers', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-binfmt-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const arm = platformNamed('linux/arm64');
    assert.ok(arm);
    const register = (entry: string, name = 'qemu-aarch64') => writeFileSync(join(folder, name), entry);
    assert.equal(isRegistered(arm, folder), false);
    register('enabled\ninterpreter /usr/bin/qemu\nflags: OC\n');
    assert.equal(isRegistered(arm, folder), false);
    register('disabled\ninterpreter /usr/bin/qemu\nflags: POF\n');
    assert.equal(isRegistered(arm, folder), false);
    register('enabled\ninterpreter /usr/bin/qemu\nflags: POF\n', 'qemu-riscv64');
    assert.equal(isRegistered(arm, folder), false);
    register('enabled\ninterpreter /usr/bin/qemu\nflags: POF\n');
    assert.equal(isRegistered(arm, folder), true);
  });

  it('finds the programs in a folder, and the machine of each', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'tocsin-programs-'));
    t.after(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'usr/bin'), { recursive: true });
    const program = (machine: number) => {
      const header = Buffer.alloc(64);
      header.write('\x7fELF');
      header.writeUInt16LE(machine, 18);
      return header;
    };
    writeFileSync(join(folder, 'usr/bin/mine'), program(HOST.machine));
    writeFileSync(join(folder, 'usr/bin/.other'), program(0xf3));
    writeFileSync(join(folder, 'usr/bin/script'), '#!/bin/sh\n');
    writeFileSync(join(folder, 'empty'), '');
    assert.deepEqual(
      programsIn(folder).sort((a, b) => a.machine - b.machine),
      [
        { path: 'usr/bin/mine', machine: HOST.machine },
        { path: 'usr/bin/.other', machine: 0xf3 },
      ],
    );
  });
});

describe('the report of npm run image', () => {
  it('lists everything that could not be tried, and fails only for real failures', async () => {
    const lines: string[] = [];
    const report = createReport((line) => lines.push(line));
    await report.step('chart', ({ fact, couldNot }) => {
      fact('It renders.');
      couldNot('It was not installed, because no Kubernetes runs here.');
    });
    assert.equal(report.end(), 0);
    assert.deepEqual(lines.slice(-2), [
      'What could not be tried here:',
      '- It was not installed, because no Kubernetes runs here.',
    ]);
    await report.step('image', () => {
      throw new Error('no disk');
    });
    assert.equal(report.end(), 1);
    assert.equal(lines.at(-1), 'Wrong: image; see above.');
  });
});
