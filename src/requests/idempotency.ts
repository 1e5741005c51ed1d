import { type Detail, Fault } from '../kit/fault.ts';
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
  const problems = idempotencyProblems(header);
  if (problems.length > 0) throw new Fault('bad_request', problems);
  if (header === undefined) return null;
  const key = textOf(header);
  const content = body instanceof Uint8Array ? body : canonical(body);
  return { key, fingerprint: sha256(Buffer.concat([Buffer.from(`${route}\n`), Buffer.from(content)])) };
}

/** What is wrong with the header, to be told together with what is wrong with the body. */
export function idempotencyProblems(header: string | string[] | undefined): Detail[] {
  if (header === undefined) return [];
  const { length } = textOf(header);
  if (length >= 1 && length <= 255) return [];
  return [{ field: 'Idempotency-Key', message: `has ${length} characters; give 1 to 255` }];
}

function textOf(header: string | string[]): string {
  return Array.isArray(header) ? header.join(',') : header;
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
