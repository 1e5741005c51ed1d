import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { errorText } from '../kit/error-text.ts';
import type { Log } from '../kit/log.ts';
import { ConfigError } from '../kit/setting.ts';

type Files = NonNullable<Config['tls']>;
/** Certificate chain and private key, in PEM. */
type Pair = { cert: Buffer; key: Buffer };

const LOOK_EVERY_MS = 1_000;

/** @throws ConfigError that names the file that cannot be used */
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

function checkPair({ cert, key }: Pair, { certFile, keyFile }: Files): void {
  const certificate = parsed(() => new X509Certificate(cert));
  if (!certificate)
    throw new ConfigError(
      `TLS_CERT_FILE names ${certFile}, which holds no certificate in PEM; it must begin with -----BEGIN CERTIFICATE-----`,
    );
  if (/ENCRYPTED/.test(String(key)))
    throw new ConfigError(
      `TLS_KEY_FILE names ${keyFile}, whose private key is protected by a passphrase; remove the passphrase, for example with: openssl pkey -in ${keyFile} -out plain-key.pem`,
    );
  const privateKey = parsed(() => createPrivateKey(key));
  if (!privateKey)
    throw new ConfigError(
      `TLS_KEY_FILE names ${keyFile}, which holds no private key in PEM; it must begin with -----BEGIN PRIVATE KEY-----`,
    );
  if (!certificate.checkPrivateKey(privateKey))
    throw new ConfigError(
      `TLS_KEY_FILE names ${keyFile}, which is not the private key of the certificate in ${certFile}; give the key that the certificate was issued for`,
    );
  const context = attempt(() => createSecureContext({ cert, key }));
  if ('error' in context)
    throw new ConfigError(
      `TLS_CERT_FILE and TLS_KEY_FILE name ${certFile} and ${keyFile}, which cannot be used for TLS (${reasonOf(context.error)}); give a complete certificate chain and a key of at least 2048 bits RSA or 256 bits EC`,
    );
}

function parsed<T>(parse: () => T): T | null {
  const got = attempt(parse);
  return 'error' in got ? null : got.value;
}

function attempt<T>(run: () => T): { value: T } | { error: unknown } {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** The reason of an OpenSSL error, without the error codes before it. */
function reasonOf(error: unknown): string {
  const { reason } = error as { reason?: unknown };
  return typeof reason === 'string' ? reason : errorText(error);
}

/**
 * Reloads a renewed certificate while the server runs. If only one of the files has been replaced, certificate and key
 * do not match, and both are ignored until they do. `inUse` is the pair at the start. Returns a function that stops the
 * reloading. Polls the files instead of watching them: renewals replace the files, or links to them or to their folder,
 * and a watcher would keep watching the old file.
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
      // Logs each unusable pair once, and each reading error once until it changes.
      if (error instanceof ConfigError || isNews(errorText(error)))
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
