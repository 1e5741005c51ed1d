import { type Detail, Fault } from '../kit/fault.ts';
import { sha256 } from '../kit/sealing.ts';

/** The key by which a client marks requests as the same, and the fingerprint of the route and body. */
export type Idempotency = { key: string; fingerprint: Buffer };

/**
 * Reads the `Idempotency-Key` header. The fingerprint covers the route and the body, so that a reused key with a different
 * body is detected.
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

/** The problems of the header, to be reported together with those of the body. */
export function idempotencyProblems(header: string | string[] | undefined): Detail[] {
  if (header === undefined) return [];
  const { length } = textOf(header);
  if (length >= 1 && length <= 255) return [];
  return [{ field: 'Idempotency-Key', message: `has ${length} characters; give 1 to 255` }];
}

function textOf(header: string | string[]): string {
  return Array.isArray(header) ? header.join(',') : header;
}

/** JSON with sorted keys, so that the order of fields does not change the fingerprint. */
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
      message:
        'was used within the last 24 hours for a request with a different body; use a new key for each request',
    },
  ]);
}
