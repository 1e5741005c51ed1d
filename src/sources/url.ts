import { pagePath } from '../webhooks/contract.ts';
import { DIALECTS, type Dialect, HEARTBEAT } from './contract.ts';

/** A type whose senders use another product's API: they have a key instead of one of our URLs. */
export function isDialect(type: string): type is Dialect {
  return DIALECTS.some((dialect) => dialect === type);
}

/** A type that can take over a key of another product; dialects have one in any case. */
export function mayHaveKey(type: string): type is Dialect | typeof HEARTBEAT {
  return isDialect(type) || type === HEARTBEAT;
}

/** The path for the calls of a source; null for dialects, which have their own paths. */
export function sourcePath(token: string, type: string): string | null {
  if (isDialect(type)) return null;
  return type === HEARTBEAT ? `/heartbeat/${token}` : pagePath(token, type);
}

/** The URL to paste into the sending system; null for dialects. */
export function sourceUrl(publicUrl: string, token: string, type: string): string | null {
  const path = sourcePath(token, type);
  return path && publicUrl.replace(/\/+$/, '') + path;
}
