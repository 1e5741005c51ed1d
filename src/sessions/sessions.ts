import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { sha256 } from '../kit/sealing.ts';
import type { Browser } from './browser.ts';
import type { Pass, SignInMethod } from './contract.ts';
import { newSessionToken, SESSION_LIFETIME } from './session.ts';
import {
  type FoundSession,
  findSession,
  goodPasses,
  insertSession,
  markSeen,
  revokeSession,
  useSignInLink,
} from './store.ts';

/** A session that was revoked on another node works for at most this long. */
const CACHE_MS = 500;
const CACHE_LIMIT = 10_000;

/** Somebody who has shown who they are. */
export type Arrival = { organizationId: string; userId: string; method: SignInMethod };

export type Sessions = {
  /** Uses a sign-in link up and begins a session; its token, or null when the link is not good (any more). */
  signIn(linkToken: string, browser: Browser): Promise<string | null>;
  /** Begins a session in the caller's transaction; its token for the cookie. */
  begin(tx: Tx, at: Temporal.Instant, who: Arrival, browser: Browser): Promise<string>;
  /** `place`: from where it is used now. */
  find(token: string, place?: string): Promise<(FoundSession & { pass: Pass }) | null>;
  end(token: string): Promise<void>;
  /** What this node remembers of a token is not true any more. */
  forget(token: string): void;
  /** Those of these passes that are still good. */
  stillGood(passes: readonly Pass[]): Promise<(pass: Pass) => boolean>;
  /** Writes down which sessions were used since the last call. */
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
  const cache = new Map<string, { found: Promise<FoundSession | null>; until: number }>();
  const seen = new Map<string, string>();

  function lookUp(hash: Buffer, name: string): Promise<FoundSession | null> {
    const known = cache.get(name);
    if (known && known.until > performance.now()) return known.found;
    if (cache.size >= CACHE_LIMIT) cache.clear();
    const found = findSession(db, clock, hash);
    cache.set(name, { found, until: performance.now() + CACHE_MS });
    found.then(
      (session) => session ?? cache.delete(name),
      () => cache.delete(name),
    );
    return found;
  }

  return {
    signIn(linkToken, browser) {
      return db.transaction().execute(async (tx) => {
        const at = await clock.now(tx);
        const link = await useSignInLink(tx, clock, sha256(linkToken));
        return link && begin(tx, at, { ...link, method: 'link' }, browser);
      });
    },
    begin,
    async find(token, place = '') {
      const hash = sha256(token);
      const name = hash.toString('base64');
      const session = await lookUp(hash, name);
      if (!session) return null;
      seen.set(name, place);
      return { ...session, pass: { kind: 'session', hash: name } };
    },
    async end(token) {
      const hash = sha256(token);
      await revokeSession(db, clock, hash);
      cache.delete(hash.toString('base64'));
    },
    forget(token) {
      cache.delete(sha256(token).toString('base64'));
    },
    async stillGood(passes) {
      const hashes = passes.flatMap((pass) => (pass.kind === 'session' ? [pass.hash] : []));
      const keyIds = passes.flatMap((pass) => (pass.kind === 'key' ? [pass.id] : []));
      const good = await goodPasses(db, clock, hashes, keyIds);
      return (pass) => good.has(pass.kind === 'session' ? pass.hash : pass.id);
    },
    async flushUses() {
      if (seen.size === 0) return;
      const batch = new Map(seen);
      seen.clear();
      await markSeen(db, clock, batch);
    },
  };
}
