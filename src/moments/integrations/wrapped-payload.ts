import { mendedJson } from './mended-json.ts';
import { type JsonObject, readJsonObject } from './payload.ts';

/** Fields of a form in which senders put their JSON. */
const WRAPPERS = ['payload', 'data'];
/** The longest that the line between the parts of a multipart body can be, with its dashes. */
const LONGEST_DELIMITER = 72;

/**
 * The object in a body, found by its content and not by the content type: JSON, JSON in the field `payload` or `data`
 * of a form, or otherwise the form's own fields. JSON from a careless template is repaired. If there is no object: the
 * problem, as `is …`.
 */
export function readPayload(body: Buffer): { object: JsonObject } | { problem: string } {
  const form = multipartFields(body) ?? urlencodedFields(body);
  if (!form) return readJson(body);
  for (const name of WRAPPERS) {
    const wrapped = form.get(name);
    if (wrapped?.trimStart().startsWith('{')) return readJson(Buffer.from(wrapped));
  }
  return { object: Object.fromEntries(form) };
}

function readJson(body: Buffer): { object: JsonObject } | { problem: string } {
  const strict = readJsonObject(body);
  const looksLikeJson = 'problem' in strict && /^\s*\{/.test(body.subarray(0, 100).toString('latin1'));
  const mended = looksLikeJson ? mendedJson(body.toString('utf8')) : null;
  if (mended === null) return strict;
  const second = readJsonObject(Buffer.from(mended));
  return 'object' in second ? second : strict;
}

function urlencodedFields(body: Buffer): Map<string, string> | null {
  const head = body.subarray(0, 200).toString('latin1');
  return /^[\w.%+*~[\]-]+=/.test(head) ? new Map(new URLSearchParams(body.toString('utf8'))) : null;
}

/** The fields of a multipart form, found by the delimiter with which its body begins; null for any other body. */
export function multipartFields(body: Buffer): Map<string, string> | null {
  const head = body.subarray(0, LONGEST_DELIMITER + 2).toString('latin1');
  const delimiter = /^--[^\s]+(?=\r\n)/.exec(head)?.[0];
  if (!delimiter) return null;
  const parts = body.toString('utf8').slice(delimiter.length).split(`\r\n${delimiter}`);
  return new Map(parts.flatMap((part) => namedPart(part) ?? []));
}

function namedPart(part: string): [name: string, content: string][] | null {
  const end = part.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const name = /;\s?name="?([^";\r\n]*)/i.exec(part.slice(0, Math.min(end, 1_000)))?.[1];
  return name ? [[name, part.slice(end + 4)]] : null;
}
