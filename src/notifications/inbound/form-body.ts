import type { FastifyInstance } from 'fastify';
import { utf8Text } from '../../kit/utf8.ts';

export type Form = { raw: Buffer; fields: Record<string, string> };

const LIMIT = 64 * 1024;

/**
 * Makes the routes of a plugin accept only forms. The raw bytes are kept for checking signatures. If a field is
 * repeated, its first value is used.
 */
export function acceptForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit: LIMIT },
    async (_request: unknown, raw: Buffer) => readForm(raw),
  );
}

function readForm(raw: Buffer): Form {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(utf8Text(raw))) fields[name] ??= value;
  return { raw, fields };
}

/** The form of a request. Empty if there was no body. */
export function formOf(body: unknown): Form {
  return (body as Form | undefined) ?? { raw: Buffer.alloc(0), fields: {} };
}
