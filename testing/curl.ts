import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Calls a URL with an API key through the real curl; `args` are added. */
export async function curl(
  key: string,
  url: string,
  args: readonly string[],
): Promise<{ status: number; body: Record<string, unknown> }> {
  const all = ['-sS', '-g', '-w', '\n%{http_code}', '-H', `Authorization: Bearer ${key}`, ...args, url];
  const { stdout } = await run('curl', all);
  const end = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(end)), body: JSON.parse(stdout.slice(0, end)) };
}
