import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { sha256 } from '../kit/sealing.ts';
import { createShortMemory } from '../kit/short-memory.ts';
import type { SignInMethod } from './api-contract.ts';
import type { Browser } from './browser.ts';
import type { Authentication } from './contract.ts';
import { newSessionToken, SESSION_LIFETIME } from './session.ts';
import {
  type FoundSession,
  findSession,
  goodPasses,
  insertSession,
  markSeen,
  revokeSession,
} from './store.ts';

/** A person who has authenticated. */
export type Arrival = { organizationId: string; userId: string; method: SignInMethod };

export type Sessions = {
  /** Begins a session in the caller's transaction and returns its token for the cookie. */
  begin(tx: Tx, at: Temporal.Instant, who: Arrival, browser: Browser): Promise<string>;
  /** `place`: the network that uses it now. */
  find(token: string, place?: string): Promise<(FoundSession & { authentication: Authentication }) | null>;
  end(token: string): Promise<void>;
  /** Removes a token from this node's cache. */
  forget(token: string): void;
  /** Returns the authentications that are still valid. */
  stillGood(authentications: readonly Authentication[]): Promise<(authentication: Authentication) => boolean>;
  /** Stores which sessions were used since the last call. */
  flushUses(): Promise<void>;
};

async function begin(
  tx: Tx,
  at: Temporal.Instant,
  who: Arrival,
  { userAgent, place }: Browser,
): Promise<string> {
  const { token, hash } = newSessionToken();
  await insertSession(tx, at, { ...who, hash, userAgent, place, expiresAt: at.add(SESSION_LIFETIME) });
  return token;
}

export function createSessions(db: Database, clock: Clock): Sessions {
  const memory = createShortMemory<FoundSession | null>((session) => session !== null);
  const seen = new Map<string, string>();

  return {
    begin,
    async find(token, place = '') {
      const hash = sha256(token);
      const name = hash.toString('base64');
      const session = await memory.get(name, () => findSession(db, clock, hash));
      if (!session) return null;
      seen.set(name, place);
      return { ...session, authentication: { kind: 'session', hash: name } };
    },
    async end(token) {
      const hash = sha256(token);
      await revokeSession(db, clock, hash);
      memory.forget(hash.toString('base64'));
    },
    forget(token) {
      memory.forget(sha256(token).toString('base64'));
    },
    async stillGood(authentications) {
      const hashes = authentications.flatMap((authentication) =>
        authentication.kind === 'session' ? [authentication.hash] : [],
      );
      const keyIds = authentications.flatMap((authentication) =>
        authentication.kind === 'key' ? [authentication.id] : [],
      );
      const good = await goodPasses(db, clock, hashes, keyIds);
      return (authentication) =>
        good.has(authentication.kind === 'session' ? authentication.hash : authentication.id);
    },
    async flushUses() {
      if (seen.size === 0) return;
      const batch = new Map(seen);
      seen.clear();
      await markSeen(db, clock, batch);
    },
  };
}
