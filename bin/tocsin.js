#!/usr/bin/env node
// The command `tocsin`. Any Node can run this file; Tocsin itself runs on the one that it is pinned to.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = join(root, 'dist', 'main.js');

function program() {
  if (existsSync(compiled)) return [pinnedNode(), ...v8Flags(), compiled];
  // A clone: its script installs what is missing first.
  return ['sh', join(root, 'scripts', 'run.sh')];
}

function v8Flags() {
  return readFileSync(join(root, 'bin', 'v8-flags'), 'utf8')
    .trim()
    .split(' ');
}

function pinnedNode() {
  return join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin', 'node');
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
