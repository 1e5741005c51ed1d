import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inlineHash } from '../kit/plain-page.ts';

/** The API reference: its page, the Content-Security-Policy of the page, and its only script. */
export type Reference = { page: string; policy: string; script: Buffer };

const PROGRAM = fileURLToPath(new URL('./make-reference.ts', import.meta.url));
/** Long enough to load the library on a busy machine. */
const DEADLINE_MS = 30_000;
const MOST_BYTES = 32 * 1024 * 1024;

const run = promisify(execFile);

/**
 * Generates the reference on first use and caches it, because page and script must come from the same version of the
 * library. Runs in a separate process, because a thread would leave tens of megabytes behind.
 */
export function createReference(program = PROGRAM): () => Promise<Reference> {
  let made: Promise<Reference> | null = null;
  return () => {
    // A failure is not cached, so that the next request tries again.
    made ??= make(program).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

async function make(program: string): Promise<Reference> {
  const { stdout } = await run(process.execPath, [program], {
    encoding: 'buffer',
    timeout: DEADLINE_MS,
    maxBuffer: MOST_BYTES,
  });
  const end = stdout.indexOf(0);
  if (end === -1) throw new Error('the reference of the API was not written');
  const page = stdout.subarray(0, end).toString();
  return { page, policy: policyOf(page), script: stdout.subarray(end + 1) };
}

/** Allows our own script and the inline scripts of the page, and nothing else. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => inlineHash(text),
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    // The script sets inline styles.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
