import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwner } from '../../packages/embedded-postgres/home.ts';
import type { Config } from '../config.ts';
import { ConfigError } from '../kit/setting.ts';

/** The keys without which a database is useless: the secret key, and the key pair of push subscriptions. */
export type ServiceKeys = { secretKey: string; vapid: { publicKey: string; privateKey: string } | null };

type Place = Pick<Config, 'secretKey' | 'vapid' | 'dataDir'>;

/** The keys from the configuration or DATA_DIR; null when there are none yet. Creates none. */
export async function readServiceKeys(config: Place): Promise<ServiceKeys | null> {
  const secretKey = config.secretKey ?? (await contentOf(config.dataDir, 'secret.key'));
  if (!secretKey) return null;
  const vapid = await contentOf(config.dataDir, 'vapid.json');
  return { secretKey, vapid: config.vapid ?? (vapid ? JSON.parse(vapid) : null) };
}

/** Keys that are written, but not yet where the service looks for them. */
export type DraftedKeys = { putInPlace(): Promise<void>; discard(): Promise<void> };

/**
 * Writes the keys that are neither configured nor in DATA_DIR, so that whatever prevents this is known before anything else
 * is changed. @throws the error of the file system
 */
export async function draftServiceKeys(config: Place, keys: ServiceKeys): Promise<DraftedKeys> {
  const { dataDir } = config;
  const wanted: { name: string; content: string }[] = [
    ...(config.secretKey ? [] : [{ name: 'secret.key', content: keys.secretKey }]),
    ...(config.vapid || !keys.vapid ? [] : [{ name: 'vapid.json', content: JSON.stringify(keys.vapid) }]),
  ];
  const drafts: { draft: string; path: string }[] = [];
  const discard = async () => {
    for (const { draft } of drafts) await rm(draft, { force: true });
  };
  try {
    for (const { name, content } of wanted) {
      if ((await contentOf(dataDir, name)) === content) continue;
      const path = join(dataDir, name);
      const draft = `${path}.${process.pid}`;
      drafts.push({ draft, path });
      await mkdir(dataDir, { recursive: true });
      await write(draft, content);
    }
  } catch (error) {
    await discard();
    throw error;
  }
  return {
    discard,
    async putInPlace() {
      for (const { draft, path } of drafts) await rename(draft, path);
    },
  };
}

/** Each guess at the passphrase costs 64 MB and a tenth of a second. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/** Encrypts the keys with the passphrase. */
export function sealKeys(keys: ServiceKeys, passphrase: string): string {
  const salt = randomBytes(16);
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, COST), nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(keys), 'utf8'), cipher.final()]);
  return Buffer.concat([salt, nonce, cipher.getAuthTag(), body]).toString('base64');
}

/** @throws ConfigError when the passphrase is wrong */
export function openKeys(sealed: string, passphrase: string): ServiceKeys {
  const bytes = Buffer.from(sealed, 'base64');
  const key = scryptSync(passphrase, bytes.subarray(0, 16), 32, COST);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(16, 28));
  decipher.setAuthTag(bytes.subarray(28, 44));
  try {
    const text = Buffer.concat([decipher.update(bytes.subarray(44)), decipher.final()]).toString('utf8');
    return JSON.parse(text) as ServiceKeys;
  } catch {
    throw new ConfigError(
      'the passphrase does not open the keys of this backup; give the one that it was made with',
    );
  }
}

async function contentOf(dataDir: string, name: string): Promise<string | null> {
  const text = await readFile(join(dataDir, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text?.trim() || null;
}

async function write(path: string, content: string): Promise<void> {
  await writeFile(path, content, { mode: 0o600, flush: true });
  await chmod(path, 0o600);
  giveToOwner(path);
}
