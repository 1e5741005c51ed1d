import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder for everything that is built; Git ignores it. */
export const BUILD = join(root, 'build');
mkdirSync(BUILD, { recursive: true });

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  dependencies: { node: string };
};

export const VERSION = manifest.version;
export const NODE_VERSION = manifest.dependencies.node;

/**
 * Runs a program in this repository and returns its output, without the last line break.
 * @throws Error with the end of its output if it fails
 */
export function run(program: string, args: readonly string[], env: Record<string, string> = {}): string {
  const ran = attempt(program, args, env);
  if (ran.ok) return ran.stdout;
  throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed: ${ran.output.slice(-2_000)}`);
}

export type Ran = { ok: boolean; stdout: string; output: string };

/** The same for a program that may fail or be missing. */
export function attempt(program: string, args: readonly string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 256 * 1024 * 1024,
  });
  const output = `${stdout ?? ''}${stderr ?? ''}${error ? error.message : ''}`.trim();
  return { ok: status === 0, stdout: (stdout ?? '').trim(), output };
}

/** Chroot isolation works inside containers and on machines without cgroups, too. */
export function buildah(...args: string[]): string {
  return run('buildah', args, { BUILDAH_ISOLATION: 'chroot' });
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}
