import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/reading.ts';
import type { Config } from '../config.ts';
import type { Log } from '../kit/log.ts';

type Files = NonNullable<Config['tls']>;
/** Certificate chain and key, in PEM. */
type Pair = { cert: Buffer; key: Buffer };

const LOOK_EVERY_MS = 1_000;

/** A `ConfigError` names the file that cannot be used. */
export function readTls(files: Files): Pair {
  const { certFile, keyFile } = files;
  const pair = { cert: read('TLS_CERT_FILE', certFile), key: read('TLS_KEY_FILE', keyFile) };
  checkPair(pair, files);
  return pair;
}

function read(name: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new ConfigError(
      `${name} names ${file}, which cannot be read (${(error as NodeJS.ErrnoException).code}); correct the path or its permissions`,
    );
  }
}

function checkPair(pair: Pair, { certFile, keyFile }: Files): void {
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT_FILE and TLS_KEY_FILE name ${certFile} and ${keyFile}, which are no certificate and its key in PEM (${(error as Error).message}); give a pair that belongs together`,
    );
  }
}

/**
 * Takes a renewed certificate up under a running server. A pair that does not belong together yet, because one of the
 * files is still to come, is left alone until it does. `inUse` is what the server began with. Answers what ends this.
 *
 * Looks into the files time and again: who renews certificates replaces files, or links to them, or links to their
 * folder, and what watches a file goes on watching the old one.
 */
export function reloadTlsOnChange(
  server: Pick<Server, 'setSecureContext'>,
  files: Files,
  inUse: Pair,
  log: Log,
): () => void {
  let seen = contentOf(inUse);

  async function look(): Promise<void> {
    try {
      const [cert, key] = await Promise.all([readFile(files.certFile), readFile(files.keyFile)]);
      const pair = { cert, key };
      if (!isNews(contentOf(pair))) return;
      checkPair(pair, files);
      server.setSecureContext(pair);
      log.info('the TLS certificate was reloaded');
    } catch (error) {
      // A pair that was tried is told about once; what cannot be read is told about once until it can be.
      if (error instanceof ConfigError || isNews(String(error)))
        log.warn({ err: error }, 'the new TLS certificate cannot be used yet; the old one stays');
    }
  }

  function isNews(content: string): boolean {
    if (content === seen) return false;
    seen = content;
    return true;
  }

  let timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref();
  let ended = false;
  async function lookAgain(): Promise<void> {
    await look();
    if (!ended) timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref();
  }
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

function contentOf({ cert, key }: Pair): string {
  return `${cert}\0${key}`;
}
