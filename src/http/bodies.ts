import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { refuseCompressed } from '../kit/compressed.ts';
import { Fault } from '../kit/fault.ts';
import { utf8Text } from '../kit/utf8.ts';

/**
 * JSON with or without a body, on GET as well (contract, section 3). An absent body under a JSON content type is no
 * error here: routes that need one say which fields are missing. A GET without a body is a normal GET, whatever content
 * type it carries.
 */
export function parseBodies(listener: FastifyInstance): void {
  listener.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  listener.addHook('onRequest', async ({ raw }) => {
    if ((raw.method === 'GET' || raw.method === 'HEAD') && !hasBody(raw)) delete raw.headers['content-type'];
  });
  listener.removeContentTypeParser(['application/json', 'text/plain']);
  listener.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parseJson(request, body),
  );
  listener.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => parseForm(request, body),
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function parseForm(request: FastifyRequest, bytes: Buffer): Record<string, string> {
  refuseCompressed(request.headers);
  if (request.method === 'GET' || request.routeOptions.config.forms)
    return Object.fromEntries(new URLSearchParams(utf8Text(bytes, codeOf(request))));
  throw new Fault('unsupported_media_type', [
    {
      field: 'Content-Type',
      message: 'is application/x-www-form-urlencoded, which is not accepted here; send application/json',
    },
  ]);
}

function parseJson(request: FastifyRequest, bytes: Buffer): unknown {
  refuseCompressed(request.headers);
  const body = utf8Text(bytes, codeOf(request));
  if (body.trim() === '') return undefined;
  // The interface document sends parameters of a GET as a form under this content type.
  if (request.method === 'GET' && LOOKS_LIKE_FORM.test(body))
    return Object.fromEntries(new URLSearchParams(body.trim()));
  refuseDeep(request, body);
  try {
    const value = secureJson.parse(body, undefined, { protoAction: 'error', constructorAction: 'error' });
    return HALF_CHARACTER.test(body) ? wellFormed(value) : value;
  } catch (error) {
    throw new Fault(codeOf(request), [{ field: 'body', message: unreadable(error as Error) }]);
  }
}

function unreadable({ message }: Error): string {
  if (message.includes('forbidden prototype property'))
    return 'has a field "__proto__" or "constructor.prototype", which could only be meant to do harm; leave it out';
  return `is not valid JSON (${message}); send a JSON object`;
}

/** `name=value` first: no JSON begins like that. */
const LOOKS_LIKE_FORM = /^\s*[\w.%[\]]+=/;

/** How JSON writes half of a character beyond the first 65,536; two of them in the right order are a whole one. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;

/** A sender that cuts a text within an emoji leaves half of it, which no database keeps: it becomes U+FFFD. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [name.toWellFormed(), wellFormed(content)]),
  );
}

/** No request of ours nests deeper than four levels; what nests thousands deep is meant to exhaust a stack. */
const MAX_DEPTH = 100;

function refuseDeep(request: FastifyRequest, body: string): void {
  let depth = 0;
  let inText = false;
  for (let index = 0; index < body.length; index++) {
    const character = body[index];
    if (inText) {
      if (character === '\\') index++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') {
      if (++depth > MAX_DEPTH)
        throw new Fault(codeOf(request), [
          { field: 'body', message: `is nested deeper than ${MAX_DEPTH} levels` },
        ]);
    } else if (character === '}' || character === ']') depth--;
  }
}

function codeOf(request: FastifyRequest): 'invalid_request' | 'bad_request' {
  return request.routeOptions.config.invalidRequest ? 'invalid_request' : 'bad_request';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bad input to this route answers `Invalid request` instead of `Bad Request` (interface document, section 7). */
    invalidRequest?: boolean;
    /** The parameters of this GET may come in its body as well, as JSON or as a form. */
    parametersInBody?: boolean;
    /** This route takes forms beside JSON. */
    forms?: boolean;
  }
}
