import type { FastifyReply, FastifyRequest } from 'fastify';
import { NotConnected } from '../db/away.ts';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { createShortMemory } from '../kit/short-memory.ts';
import type { Budgets } from './budget.ts';
import type { Scope } from './contract.ts';
import { type Credential, isPossibleKey, keyFromHeader, keyHash, mayUse } from './key.ts';
import { findCredential, markUsed } from './store.ts';

export type Keys = {
  /**
   * Verifies the Authorization header. @throws Fault 401 if there is no valid key, and NotConnected if a lifeboat
   * cannot decide, because the key may be newer than its copy of the configuration
   */
  authenticate(authorization: string | undefined): Promise<Credential>;
  /** Writes the last-used times collected since the previous flush. */
  flushUses(): Promise<void>;
};

/** `isStandBy`: `db` is the database of a lifeboat. */
export function createKeys(
  db: Database,
  clock: Clock,
  { isStandBy = false }: { isStandBy?: boolean } = {},
): Keys {
  // A revoked key may work for one more second (contract), but a new key must work at once, so misses are not cached.
  const memory = createShortMemory<Credential | null>((credential) => credential !== null);
  const uses = new Map<string, Temporal.Instant>();

  function lookUp(key: string): Promise<Credential | null> {
    const hash = keyHash(key);
    return memory.get(hash.toString('base64'), () => findCredential(db, clock, hash));
  }

  return {
    async authenticate(authorization) {
      if (!authorization) throw unauthorized('is missing; send "Authorization: Bearer <API key>"');
      const key = keyFromHeader(authorization);
      if (!key)
        throw unauthorized(
          'does not have an accepted form; send "Bearer <API key>" or "Token token=<API key>"',
        );
      const credential = await lookUp(key);
      if (!credential && isStandBy && isPossibleKey(key)) throw new NotConnected();
      if (!credential)
        throw unauthorized(
          'carries a key that is unknown, revoked or expired; make a new one under API keys',
        );
      uses.set(credential.keyId, Temporal.Now.instant());
      return credential;
    },
    async flushUses() {
      if (uses.size === 0) return;
      const batch = new Map(uses);
      uses.clear();
      await markUsed(db, batch);
    },
  };
}

function unauthorized(message: string): Fault {
  return new Fault('unauthorized', [{ field: 'Authorization', message }]);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireKey`; handlers read it through `credentialOf`. */
    credential: Credential | null;
  }
}

export function credentialOf(request: FastifyRequest): Credential {
  if (!request.credential) throw new Fault('unauthorized');
  return request.credential;
}

/**
 * A hook for routes that need a key: checks the key and its scope, and applies its rate limit. Pages have a separate
 * budget (`pages`), so that other requests cannot use it up.
 */
export function requireKey(keys: Keys, budgets: Budgets, scope: Scope) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const credential = await keys.authenticate(request.headers.authorization);
    if (!mayUse(credential, scope)) {
      throw new Fault('forbidden', [
        {
          field: 'Authorization',
          message: `carries a key without the scope "${scope}"; use a key that has it`,
        },
      ]);
    }
    budgets.spend(credential.keyId, scope === 'pages' ? 'pages' : 'other');
    request.credential = credential;
    reply.header('cache-control', 'no-store');
  };
}
