import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inlineHash } from '../kit/plain-page.ts';

/** The readable reference: its page, the policy that lets it run, and the one script that it loads. */
export type Reference = { page: string; policy: string; script: Buffer };

const PROGRAM = fileURLToPath(new URL('./make-reference.ts', import.meta.url));
/** For loading the library on a machine that is busy with something else. */
const DEADLINE_MS = 30_000;
const MOST_BYTES = 32 * 1024 * 1024;

const run = promisify(execFile);

/**
 * Makes the reference when it is first asked for, in a process of its own (a thread would leave tens of megabytes
 * behind), and keeps what was made: page and script belong to each other, whatever an upgrade puts in the library's
 * place.
 */
export function createReference(program = PROGRAM): () => Promise<Reference> {
  let made: Promise<Reference> | null = null;
  return () => {
    // What could not be made is tried again by whoever asks next.
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

/** The page runs our own file and what its makers wrote into the page itself, and nothing else. */
function policyOf(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    ([, text = '']) => inlineHash(text),
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`,
    // It sets its looks from its script.
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
