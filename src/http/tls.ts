import { readFileSync, type StatsListener, unwatchFile, watchFile } from 'node:fs';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { ConfigError } from '../config/reading.ts';
import type { Config } from '../config.ts';
import type { Log } from '../kit/log.ts';

type Files = NonNullable<Config['tls']>;

const LOOK_EVERY_MS = 1_000;

/** Certificate chain and key in PEM; a `ConfigError` names the file that cannot be used. */
export function readTls({ certFile, keyFile }: Files): { cert: Buffer; key: Buffer } {
  const pair = { cert: read('TLS_CERT_FILE', certFile), key: read('TLS_KEY_FILE', keyFile) };
  try {
    createSecureContext(pair);
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT_FILE and TLS_KEY_FILE name ${certFile} and ${keyFile}, which are no certificate and its key in PEM (${(error as Error).message}); give a pair that belongs together`,
    );
  }
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

/**
 * Takes a renewed certificate up under a running server. A pair that does not belong together yet, because one of the
 * files is still to come, is left alone until it does. Answers what ends the watch.
 *
 * Looks at the paths time and again: who renews certificates replaces files, or the links to them, and what watches a
 * file goes on watching the old one.
 */
export function reloadTlsOnChange(
  server: Pick<Server, 'setSecureContext'>,
  files: Files,
  log: Log,
): () => void {
  const reload: StatsListener = (now, before) => {
    if (now.mtimeMs === before.mtimeMs && now.ino === before.ino && now.size === before.size) return;
    try {
      server.setSecureContext(readTls(files));
      log.info('the TLS certificate was reloaded');
    } catch (error) {
      log.warn({ err: error }, 'the new TLS certificate cannot be used yet; the old one stays');
    }
  };
  const watched = [files.certFile, files.keyFile];
  for (const file of watched) watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, reload);
  return () => {
    for (const file of watched) unwatchFile(file, reload);
  };
}
