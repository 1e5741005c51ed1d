import { Worker } from 'node:worker_threads';
import { inlineHash } from '../kit/plain-page.ts';

/** The readable reference: its page, the policy that lets it run, and the one script that it loads. */
export type Reference = { page: string; policy: string; script: Buffer };

/** For loading the library on a machine that is busy with something else. */
const DEADLINE_MS = 30_000;

/**
 * Makes the reference when it is first asked for, in a thread that takes all the memory of its library with it, and
 * keeps what was made: page and script belong to each other, whatever an upgrade puts in the library's place.
 */
export function createReference(
  worker = new URL('./reference-worker.ts', import.meta.url),
): () => Promise<Reference> {
  let made: Promise<Reference> | null = null;
  return () => {
    // What could not be made is tried again by whoever asks next.
    made ??= makeInThread(worker).catch((error: unknown) => {
      made = null;
      throw error;
    });
    return made;
  };
}

async function makeInThread(file: URL): Promise<Reference> {
  const { promise, resolve, reject } = Promise.withResolvers<{ page: string; script: string }>();
  const worker = new Worker(file);
  const overdue = setTimeout(() => worker.terminate(), DEADLINE_MS);
  worker.on('message', resolve);
  worker.on('error', reject);
  worker.on('exit', () => {
    clearTimeout(overdue);
    reject(new Error('the thread that makes the reference of the API ended without it'));
  });
  const { page, script } = await promise;
  return { page, policy: policyOf(page), script: Buffer.from(script) };
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
