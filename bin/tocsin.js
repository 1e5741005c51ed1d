#!/usr/bin/env node
// The command `tocsin`. Any Node can run this file; Tocsin itself runs on the one that it is pinned to.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src', 'main.ts');
const compiled = join(root, 'dist', 'src', 'main.js');

function program() {
  // A clone: its script installs what is missing first.
  if (existsSync(source)) return ['sh', join(root, 'scripts', 'run.sh')];
  return [pinnedNode(), ...v8Flags(), compiled];
}

function v8Flags() {
  return readFileSync(join(root, 'bin', 'v8-flags'), 'utf8')
    .trim()
    .split(' ');
}

function pinnedNode() {
  const manifest = createRequire(import.meta.url).resolve('node/package.json');
  const pinned = join(dirname(manifest), 'bin', 'node');
  if (existsSync(pinned)) return pinned;
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  if (process.versions.node === version) return process.execPath;
  process.stderr.write(
    `tocsin cannot be started: it runs on Node.js ${version}, which npm did not install because it ran no install ` +
      'scripts. Run: npm rebuild --ignore-scripts=false\n',
  );
  process.exit(1);
}

const [command, ...first] = program();
const child = spawn(command, [...first, ...process.argv.slice(2)], { stdio: 'inherit' });

child.on('error', (error) => {
  process.stderr.write(`tocsin cannot be started: ${error.message}. Run npm install and try again.\n`);
  process.exitCode = 1;
});
child.on('exit', (code, signal) => {
  process.exitCode = code === null ? 128 + constants.signals[signal] : code;
});

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
  process.on(signal, () => {
    // A terminal sends Ctrl-C to both of us; the second one would cut the orderly end short.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  });
}
