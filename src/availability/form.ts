import { unknownFieldWarnings } from '../kit/validation.ts';
import { MAX_FILE_BYTES, tooLarge } from './body.ts';
import type { FormField } from './form-field.ts';
import { parameterOf, readMultipart } from './multipart.ts';
import { Unreadable } from './unreadable.ts';
import { readUrlencoded } from './urlencoded.ts';

export const FORM_TYPES = ['multipart/form-data', 'application/x-www-form-urlencoded'] as const;

const FIELDS = ['file', 'commit'] as const;

export type UploadForm = {
  file: Buffer;
  commit: string | null;
  /** Sentences about ignored fields. */
  warnings: string[];
};

/**
 * Reads the form of an upload. The boundary decides the format, not Content-Type: curl adds a boundary to a
 * Content-Type that was set by hand, and other clients send a multipart body as `x-www-form-urlencoded` without one.
 * @throws Unreadable if there is no file
 * @throws Fault 413 if it is too large
 */
export function readForm(contentType: string, body: Buffer): UploadForm {
  const boundary = parameterOf(contentType, 'boundary') || boundaryOf(body);
  if (!boundary && /^multipart\//i.test(contentType))
    throw new Unreadable('the multipart body has no boundary; let your client set Content-Type');
  const fields = boundary ? readMultipart(body, boundary) : readUrlencoded(body);
  const file = theFile(fields);
  if (file.length > MAX_FILE_BYTES) throw tooLarge();
  return { file, commit: commitOf(fields), warnings: warningsAbout(fields) };
}

/** The boundary with which a multipart body begins; null for other bodies. */
function boundaryOf(body: Buffer): string | null {
  return /^--([^\r\n]{1,200}?)[ \t]*\r\ncontent-/i.exec(body.toString('latin1', 0, 300))?.[1] ?? null;
}

function theFile(fields: readonly FormField[]): Buffer {
  const [file, ...more] = fields.filter((field) => field.name === 'file');
  if (more.length > 0) throw new Unreadable('the form has several fields named "file"; send one file');
  if (!file) throw new Unreadable(`the form has no field named "file"${namesHint(fields)}`);
  return file.value;
}

function namesHint(fields: readonly FormField[]): string {
  const names = fields.map((field) => JSON.stringify(field.name.slice(0, 40)));
  return names.length === 0 ? '; send the CSV in it' : `, only ${names.slice(0, 5).join(', ')}`;
}

function commitOf(fields: readonly FormField[]): string | null {
  return (
    fields
      .findLast((field) => field.name === 'commit')
      ?.value.toString('utf8')
      .trim() ?? null
  );
}

function warningsAbout(fields: readonly FormField[]): string[] {
  return unknownFieldWarnings(Object.fromEntries(fields.map((field) => [field.name, ''])), FIELDS);
}
