import { createECDH, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ConfigError } from '../config/reading.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { createSealing, type Sealing } from '../kit/sealing.ts';
import { claimInstallation } from './store.ts';

/** The master key: `SECRET_KEY`, or one that was generated into the data directory on first start. */
export async function openSealing(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<Sealing> {
  const text =
    config.secretKey ??
    (await readOrMake(config.dataDir, 'secret.key', () => randomBytes(32).toString('base64')));
  return createSealing(Buffer.from(text, 'base64'));
}

/** What the key of an installation signs, so that another key is told from it: purpose and text. */
export const INSTALLATION_MARK = ['installation', 'tocsin'] as const;

/** Refuses a database that another key belongs to: nothing that it sealed or signed could be read. */
export async function checkInstallation(db: Database, clock: Clock, sealing: Sealing): Promise<void> {
  const claimed = await claimInstallation(db, clock, sealing.sign(...INSTALLATION_MARK));
  if (sealing.verify(...INSTALLATION_MARK, claimed)) return;
  throw new ConfigError(
    'the secret key is not the one that this database was set up with: set SECRET_KEY to the same value on every node, or copy secret.key from the first DATA_DIR',
  );
}

export type Vapid = { publicKey: string; privateKey: string; subject: string };

/** Keys of Web Push: `VAPID_*`, or generated once into the data directory. */
export async function openVapid(config: Pick<Config, 'vapid' | 'dataDir' | 'publicUrl'>): Promise<Vapid> {
  if (config.vapid) return config.vapid;
  const text = await readOrMake(config.dataDir, 'vapid.json', () => JSON.stringify(newVapidKeys()));
  const subject = config.publicUrl.startsWith('https:')
    ? config.publicUrl
    : 'mailto:operator@localhost.localdomain';
  return { ...(JSON.parse(text) as { publicKey: string; privateKey: string }), subject };
}

/** A key pair on the curve P-256, in the form that Web Push asks for. */
function newVapidKeys(): { publicKey: string; privateKey: string } {
  const curve = createECDH('prime256v1');
  return {
    publicKey: curve.generateKeys('base64url'),
    privateKey: curve.getPrivateKey('base64url').padStart(43, 'A'),
  };
}

/** Several processes may start at once on one directory: whoever links the file first has made it. */
async function readOrMake(dataDir: string, name: string, make: () => string): Promise<string> {
  const path = join(dataDir, name);
  await mkdir(dataDir, { recursive: true });
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known) return known.trim();
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeFile(draft, make(), { mode: 0o600, flush: true });
  await chmod(draft, 0o600);
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(draft);
  return (await readFile(path, 'utf8')).trim();
}
