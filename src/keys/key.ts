import { randomBytes } from 'node:crypto';
import { sha256 } from '../kit/sealing.ts';
import type { Scope } from './contract.ts';

/** A recognisable prefix, so that secret scanners find leaked keys. */
const PREFIX = 'tocsin_';
const FORM = /^tocsin_[A-Za-z0-9_-]{32}$/;

/** The key and the user that a request is authenticated as. */
export type Credential = {
  keyId: string;
  organizationId: string;
  userId: string;
  /** Null allows the whole public API. */
  scopes: readonly string[] | null;
  /** Allows `/api` as well. */
  full?: boolean;
};

export type NewKey = { key: string; hash: Buffer; hint: string };

/** A new API key with 192 random bits. Only its hash is stored; the hint helps people to tell their keys apart. */
export function newKey(): NewKey {
  const key = PREFIX + randomBytes(24).toString('base64url');
  return { key, hash: keyHash(key), hint: key.slice(0, PREFIX.length + 4) };
}

/** Whether `newKey` could have returned it. */
export function isPossibleKey(text: string): boolean {
  return FORM.test(text);
}

export function keyHash(key: string): Buffer {
  return sha256(key);
}

/**
 * The key in an Authorization header: `Bearer KEY` or `Token token="KEY"`, quotes optional, scheme in any case. Null
 * when the header has another form.
 */
export function keyFromHeader(header: string): string | null {
  const bearer = /^bearer +([^\s"]+)\s*$/i.exec(header);
  if (bearer?.[1]) return bearer[1];
  const token = /^token +token=(?:"([^"\s]+)"|([^"\s,;]+))\s*$/i.exec(header);
  return token?.[1] ?? token?.[2] ?? null;
}

export function mayUse(credential: Credential, scope: Scope): boolean {
  return credential.scopes === null || credential.scopes.includes(scope);
}
