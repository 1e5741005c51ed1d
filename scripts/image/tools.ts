import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt, BUILD } from './commands.ts';

const TOOLS = join(BUILD, 'tools');

/**
 * A Go program, compiled from the module proxy on first use. Returns its path, or the reason why it is missing, as the
 * end of a sentence.
 */
export function goProgram(
  name: string,
  path: string,
  version: string,
): { path: string } | { missing: string } {
  const program = join(TOOLS, `${name}-${version}`);
  if (existsSync(program)) return { path: program };
  if (!attempt('go', ['version']).ok) return { missing: 'Go is not installed' };
  // A module of its own, because `go install` refuses programs whose module replaces others.
  const module = join(TOOLS, name);
  mkdirSync(module, { recursive: true });
  writeFileSync(join(module, 'go.mod'), 'module tools\n');
  const got = attempt('go', ['-C', module, 'get', `${path}@${version}`]);
  if (!got.ok) return { missing: `Go could not fetch ${path}` };
  const built = attempt('go', ['-C', module, 'build', '-o', program, path]);
  return built.ok ? { path: program } : { missing: `${path} did not compile` };
}
