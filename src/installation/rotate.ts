import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import type { AuditAction } from '../people/audit-contract.ts';
import { newSigningSecret } from '../people/methods/actions.ts';
import { listOrganizations, recordAudit } from '../people/store.ts';
import { markOf } from './secrets.ts';
import {
  endChallenges,
  endSessions,
  holdServers,
  lockSealed,
  moveSyntheticReceiver,
  removeAuthenticators,
  removeInvitations,
  removeProviders,
  removeSourceKeys,
  replaceFeedTokens,
  replaceSealed,
  SEALED_KINDS,
  type SealedKind,
  type SealedValue,
  writeMark,
} from './store.ts';

/** A secret that only a lost key could decrypt. */
export type LostSecret = { kind: SealedKind; name: string };

export type KeyServices = {
  db: Database;
  clock: Clock;
  /** The address of the synthetic page's receiver, which is signed. */
  receiverOf(sealing: Sealing): string;
};

/** Why the key was not rotated; nothing was changed. */
export class KeyFault extends Error {
  override name = 'KeyFault';
}

/**
 * Encrypts all secrets with another key in one transaction, and ends everything that depended on the old one: sessions,
 * sign-in links, and all links in messages. @throws KeyFault if a server is running, or if a secret cannot be decrypted
 * with the old key
 */
export async function rotateSecrets(
  { db, clock, receiverOf }: KeyServices,
  from: Sealing,
  to: Sealing,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await refuseServers(tx);
    let count = 0;
    for (const kind of SEALED_KINDS) {
      const values = await lockSealed(tx, kind);
      const lost = values.filter((value) => opened(from, value) === null);
      if (lost.length > 0) throw cannotOpen(lost.length);
      const again = values.map((value) => ({
        place: value.place,
        sealed: to.seal(opened(from, value) ?? ''),
      }));
      await replaceSealed(tx, kind, again);
      count += values.length;
    }
    const at = await clock.now(tx);
    await endSessions(tx, at);
    await moveSyntheticReceiver(tx, receiverOf(to));
    await belongTo(tx, at, to, 'secret.rotate', { sealed: count });
    return count;
  });
}

/** The secrets that this key cannot decrypt; with null, all of them. */
export async function listLost(db: Database, sealing: Sealing | null): Promise<LostSecret[]> {
  return db.transaction().execute(async (tx) => {
    const lost: LostSecret[] = [];
    for (const kind of SEALED_KINDS)
      for (const value of await lockSealed(tx, kind))
        if (opened(sealing, value) === null) lost.push({ kind, name: value.name });
    return lost;
  });
}

/**
 * Deletes the secrets that this key cannot decrypt, so that they can be entered again, and binds the database to this
 * key. @throws KeyFault if a server is running
 */
export async function forgetLost(
  { db, clock, receiverOf }: KeyServices,
  sealing: Sealing,
): Promise<LostSecret[]> {
  return db.transaction().execute(async (tx) => {
    await refuseServers(tx);
    const forgotten: LostSecret[] = [];
    for (const kind of SEALED_KINDS) {
      const lost = (await lockSealed(tx, kind)).filter((value) => opened(sealing, value) === null);
      if (lost.length > 0) await FORGET[kind](tx, sealing, lost);
      for (const { name } of lost) forgotten.push({ kind, name });
    }
    await moveSyntheticReceiver(tx, receiverOf(sealing));
    await belongTo(tx, await clock.now(tx), sealing, 'secret.forget', { forgotten: forgotten.length });
    return forgotten;
  });
}

type Forget = (tx: Tx, sealing: Sealing, lost: readonly SealedValue[]) => Promise<void>;

function sealedAgain(kind: SealedKind, text: () => string): Forget {
  return (tx, sealing, lost) =>
    replaceSealed(
      tx,
      kind,
      lost.map(({ place }) => ({ place, sealed: sealing.seal(text()) })),
    );
}

/**
 * A host that can never be reached. The calendar is listed as a problem and its entries stay until somebody corrects
 * the address.
 */
const LOST_ADDRESS = 'https://address-lost.invalid/';

const FORGET: Record<SealedKind, Forget> = {
  // Calls are matched by the hash of the token, so they still arrive.
  webhook_url: sealedAgain('webhook_url', () => ''),
  // Without a secret, unsigned calls would be accepted.
  webhook_secret: sealedAgain('webhook_secret', newSigningSecret),
  contact_secret: sealedAgain('contact_secret', newSigningSecret),
  calendar_source: sealedAgain('calendar_source', () => LOST_ADDRESS),
  calendar_feed: (tx, sealing, lost) => {
    const tokens = lost.map(({ place }) => ({ place, token: randomToken() }));
    return replaceFeedTokens(
      tx,
      tokens.map(({ place, token }) => ({ place, hash: sha256(token), sealed: sealing.seal(token) })),
    );
  },
  invitation: (tx, _, lost) => removeInvitations(tx, placesOf(lost)),
  second_factor: (tx, _, lost) => removeAuthenticators(tx, placesOf(lost)),
  // Only hashes of the keys are stored, which cannot be computed again.
  source_pepper: (tx, _, lost) => removeSourceKeys(tx, placesOf(lost)),
  provider: (tx, _, lost) => removeProviders(tx, placesOf(lost)),
};

function placesOf(values: readonly SealedValue[]): string[] {
  return values.map(({ place }) => place);
}

async function belongTo(
  tx: Tx,
  at: Temporal.Instant,
  sealing: Sealing,
  action: AuditAction,
  data: Record<string, unknown>,
): Promise<void> {
  await endChallenges(tx);
  await writeMark(tx, markOf(sealing));
  for (const { id } of await listOrganizations(tx))
    await recordAudit(tx, at, id, null, [{ action, subject: id, data }]);
}

function opened(sealing: Sealing | null, { sealed }: SealedValue): string | null {
  try {
    return sealing?.open(sealed) ?? null;
  } catch {
    return null;
  }
}

async function refuseServers(tx: Tx): Promise<void> {
  const running = await holdServers(tx);
  if (running === 0) return;
  throw new KeyFault(
    `${running === 1 ? 'A server runs' : `${running} servers run`} on this database with the old key; stop every server first, and start them with the new key. Nothing was changed.`,
  );
}

function cannotOpen(count: number): KeyFault {
  return new KeyFault(
    `${count === 1 ? 'One value' : `${count} values`} cannot be opened with the secret key of this database; run: tocsin secret forget. Nothing was changed.`,
  );
}
