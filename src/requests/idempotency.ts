import { Fault } from '../kit/fault.ts';
import { sha256 } from '../kit/sealing.ts';

/** A caller's promise that requests with this key are one and the same. */
export type Idempotency = { key: string; fingerprint: Buffer };

/**
 * Reads the `Idempotency-Key` header. The fingerprint covers the route and the body, so that the key used again with
 * another body is seen.
 */
export function readIdempotency(
  header: string | string[] | undefined,
  route: string,
  body: unknown,
): Idempotency | null {
  if (header === undefined) return null;
  const key = Array.isArray(header) ? header.join(',') : header;
  if (key.length < 1 || key.length > 255) {
    throw new Fault('bad_request', [
      { field: 'Idempotency-Key', message: `has ${key.length} characters; give 1 to 255` },
    ]);
  }
  const content = body instanceof Uint8Array ? body : canonical(body);
  return { key, fingerprint: sha256(Buffer.concat([Buffer.from(`${route}\n`), Buffer.from(content)])) };
}

/** JSON with sorted keys: the order in which a client happens to write its fields does not matter. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      inner && typeof inner === 'object' && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ) ?? ''
  );
}

export function idempotencyConflict(): Fault {
  return new Fault('conflict', [
    {
      field: 'Idempotency-Key',
      message: 'was used within 24 hours for a request with another body; use a new key for a new request',
    },
  ]);
}
