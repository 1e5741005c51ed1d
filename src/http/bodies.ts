import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { refuseCompressed } from '../kit/compressed.ts';
import { wrongContentType } from '../kit/content-type.ts';
import { Fault } from '../kit/fault.ts';
import { utf8Text } from '../kit/utf8.ts';
import { inLanguage } from '../language/ambient.ts';
import { t } from '../language/contract.ts';
import { multipartFields } from '../moments/integrations/wrapped-payload.ts';
import { languageOfRequest } from './answer-in-language.ts';

/**
 * Accepts JSON with or without a body, including on GET (contract, section 3). A missing body with a JSON content type
 * is not an error here; routes that need a body report the missing fields. The content type of a GET without a body is
 * ignored.
 */
export function parseBodies(listener: FastifyInstance): void {
  listener.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  listener.addHook('onRequest', ({ raw }, _reply, done) => {
    if ((raw.method === 'GET' || raw.method === 'HEAD') && !hasBody(raw)) delete raw.headers['content-type'];
    done();
  });
  listener.removeContentTypeParser(['application/json', 'text/plain']);
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
  listener.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      inLanguage(languageOfRequest(request), () => parseJson(request, body)),
  );
  listener.addContentTypeParser(forms, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    inLanguage(languageOfRequest(request), () => parseForm(request, body)),
  );
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function parseForm(request: FastifyRequest, bytes: Buffer): Record<string, string> {
  refuseCompressed(request.headers);
  const { method, headers, routeOptions } = request;
  const type = headers['content-type'];
  if (method !== 'GET' && (isMultipart(type) || !routeOptions.config.forms)) throw wrongContentType(type);
  const text = utf8Text(bytes, codeOf(request));
  const parts = multipartFields(bytes);
  if (parts) return Object.fromEntries(parts);
  // Without a first delimiter it is not a multipart form, whatever its type says.
  if (isMultipart(type)) throw wrongContentType(type);
  return Object.fromEntries(new URLSearchParams(text));
}

function isMultipart(type: string | undefined): boolean {
  return /^\s*multipart\//i.test(type ?? '');
}

function parseJson(request: FastifyRequest, bytes: Buffer): unknown {
  refuseCompressed(request.headers);
  const body = utf8Text(bytes, codeOf(request));
  if (body.trim() === '') return undefined;
  // In the interface document, clients send the parameters of a GET as a form with a JSON content type.
  if (request.method === 'GET') {
    const parts = multipartFields(bytes);
    if (parts) return Object.fromEntries(parts);
    if (LOOKS_LIKE_FORM.test(body)) return Object.fromEntries(new URLSearchParams(body.trim()));
  }
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
    return t('has a field "__proto__" or "constructor.prototype", which is not allowed; leave it out');
  return t('is not valid JSON ({message}); send a JSON object', { message });
}

/** Starts with `name=value`, which is never valid JSON. */
const LOOKS_LIKE_FORM = /^\s*[\w.%[\]]+=/;

/** The JSON escape of one half of a surrogate pair. */
const HALF_CHARACTER = /\\u[dD][89a-fA-F]/;

/**
 * Replaces lone surrogates, which the database refuses, with U+FFFD. Senders create them when they cut a text within an
 * emoji.
 */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, content]) => [name.toWellFormed(), wellFormed(content)]),
  );
}

/** Our requests have at most four levels. Thousands of levels are an attempt to exhaust the stack. */
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
          {
            field: 'body',
            message: t('is nested deeper than {most} levels; send a flatter JSON object', {
              most: MAX_DEPTH,
            }),
          },
        ]);
    } else if (character === '}' || character === ']') depth--;
  }
}

function codeOf(request: FastifyRequest): 'invalid_request' | 'bad_request' {
  return request.routeOptions.config.invalidRequest ? 'invalid_request' : 'bad_request';
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Invalid input to this route is answered with `Invalid request` instead of `Bad Request` (interface document,
     * section 7).
     */
    invalidRequest?: boolean;
    /** The parameters of this GET may also be sent in its body, as JSON or as a form. */
    parametersInBody?: boolean;
    /** This route accepts forms as well as JSON. */
    forms?: boolean;
  }
}
