import { createECDH, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToOwner } from '../../packages/embedded-postgres/home.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createSealing, type Sealing } from '../kit/sealing.ts';
import { ConfigError } from '../kit/setting.ts';
import { claimInstallation, readMark } from './store.ts';

/** Purpose and text that the secret key signs. The signature identifies the key of an installation. */
export const INSTALLATION_MARK = ['installation', 'tocsin'] as const;

/** The file of the key if `SECRET_KEY` is not set. */
const KEY_FILE = 'secret.key';
/** The file of the new key during a rotation. */
const NEXT_KEY_FILE = 'secret.key.next';

type KeyPlace = Pick<Config, 'secretKey' | 'dataDir'>;

/**
 * Opens the secret key of this database: `SECRET_KEY`, or the file in the data directory, which the first start
 * creates. @throws ConfigError if the key is missing or is not the one of the database: no encrypted or signed value
 * could be read, and a new key would only hide that
 */
export async function openInstallation(db: Database, clock: Clock, config: KeyPlace): Promise<Sealing> {
  // Read this first: a process that sets up a new database creates the key before it claims the database.
  const mark = await readMark(db);
  const sealing = (await readSealing(config, mark)) ?? (mark === null ? await makeSealing(config) : null);
  if (!sealing) throw keyMissing(config);
  await checkInstallation(db, clock, sealing);
  return sealing;
}

/** Throws if the database belongs to another key. */
export async function checkInstallation(db: Database, clock: Clock, sealing: Sealing): Promise<void> {
  const claimed = await claimInstallation(db, clock, markOf(sealing));
  if (belongs(sealing, claimed)) return;
  throw new ConfigError(
    'the secret key is not the one that this database was set up with: set SECRET_KEY to the same value on every node, or copy secret.key from the first DATA_DIR; if that key is lost for good, run: tocsin secret forget',
  );
}

/**
 * The configured key, or the one in the data directory. If both exist, the one that matches `mark`. Null if there is
 * none.
 */
export async function readSealing(config: KeyPlace, mark: string | null): Promise<Sealing | null> {
  if (config.secretKey) return sealingOf(config.secretKey);
  const known = await readKey(config.dataDir, KEY_FILE);
  if (mark === null || (known && belongs(known, mark))) return known;
  const next = await readKey(config.dataDir, NEXT_KEY_FILE);
  if (!next || !belongs(next, mark)) return known;
  // A rotation was committed, but the process ended before it renamed the new key.
  await adoptNextKey(config.dataDir);
  return next;
}

/** The key in the data directory, which is created if missing. */
export async function makeSealing({ dataDir }: KeyPlace): Promise<Sealing> {
  return sealingOf(await readOrMake(dataDir, KEY_FILE, newSecretKey));
}

export function newSecretKey(): string {
  return randomBytes(32).toString('base64');
}

/** Writes the new key next to the current one. */
export async function writeNextKey(dataDir: string, key: string): Promise<void> {
  const path = join(dataDir, NEXT_KEY_FILE);
  await rm(path, { force: true });
  await writeFile(path, key, { mode: 0o600, flush: true, flag: 'wx' });
  giveToOwner(path);
}

/** Replaces the current key with the new one, with which all secrets are encrypted now. */
export async function adoptNextKey(dataDir: string): Promise<void> {
  await rename(join(dataDir, NEXT_KEY_FILE), join(dataDir, KEY_FILE));
}

export function sealingOf(key: string): Sealing {
  return createSealing(Buffer.from(key, 'base64'));
}

export function markOf(sealing: Sealing): string {
  return sealing.sign(...INSTALLATION_MARK);
}

function belongs(sealing: Sealing, mark: string): boolean {
  return sealing.verify(...INSTALLATION_MARK, mark);
}

async function readKey(dataDir: string, name: string): Promise<Sealing | null> {
  const path = join(dataDir, name);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new ConfigError(`${path} cannot be read (${error.code}); give the user that runs this read access`);
  });
  if (text === null || text.trim() === '') return null;
  if (Buffer.from(text, 'base64').length === 32) return sealingOf(text);
  throw new ConfigError(`${path} does not hold a secret key; restore it from a backup`);
}

function keyMissing({ dataDir }: KeyPlace): ConfigError {
  return new ConfigError(
    `the secret key of this database is missing: SECRET_KEY is not set, and there is no secret.key in DATA_DIR ${dataDir}; restore it from a backup or another node, or, if it is lost for good, run: tocsin secret forget`,
  );
}

export type Vapid = { publicKey: string; privateKey: string; subject: string };

/** Keys of Web Push, `VAPID_*` or a pair generated once in the data directory, with a contact of the operator. */
export async function openVapid(config: Pick<Config, 'vapid' | 'dataDir' | 'publicUrl'>): Promise<Vapid> {
  const subject = config.vapid?.subject ?? contactAt(config.publicUrl);
  if (config.vapid) return { ...config.vapid, subject };
  const text = await readOrMake(config.dataDir, 'vapid.json', () => JSON.stringify(newVapidKeys()));
  return { ...(JSON.parse(text) as { publicKey: string; privateKey: string }), subject };
}

/** A contact of the operator for push services. Apple refuses one on localhost. */
function contactAt(publicUrl: string): string {
  return publicUrl.startsWith('https:') ? publicUrl : 'mailto:operator@localhost.localdomain';
}

/** A key pair on the curve P-256, in the encoding of Web Push. */
function newVapidKeys(): { publicKey: string; privateKey: string } {
  const curve = createECDH('prime256v1');
  return {
    publicKey: curve.generateKeys('base64url'),
    privateKey: curve.getPrivateKey('base64url').padStart(43, 'A'),
  };
}

/** Several processes may start at once in one directory; the first to link the file wins. */
async function readOrMake(dataDir: string, name: string, make: () => string): Promise<string> {
  const path = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known) return known.trim();
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, make(), { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  giveToOwner(draft);
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
}
