import { Ajv } from 'ajv';
import { oneLine } from '../../../kit/one-line.ts';
import { type Finding, FORMATS, findingsToDetails } from '../../../kit/validation.ts';
import { isEmail } from '../../../people/email.ts';
import { isSlug } from '../../../people/slug-contract.ts';
import { isUsername } from '../../../people/usernames.ts';
import { parsePattern } from '../../../schedules/pattern.ts';
import { reportContents } from './contents.ts';
import { FileDocument, isContainer, pathBelow } from './document.ts';
import { didYouMean } from './near.ts';
import { OperatorFile } from './shape.ts';

/** A file as far as it could be read: everything in `file` has the right shape, and the errors say what is missing. */
export type Reading = {
  /** Null: nothing could be read. */
  file: OperatorFile | null;
  /** Where the parts of `file` stand. Errors that are found later are reported to it. */
  document: FileDocument;
};

/** The rooms' schemas, as a value of the file meets them: only what the walk below needs. */
type Shape = {
  '~kind'?: string;
  type?: string;
  title?: string;
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
  enum?: readonly unknown[];
  'x-one-line'?: boolean;
  'x-as-written'?: boolean;
  'x-pattern'?: boolean;
};

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  verbose: true,
  formats: { ...FORMATS, 'email-address': isEmail, slug: isSlug, username: isUsername, day: isDay },
});
const isOperatorFile = ajv.compile<OperatorFile>(OperatorFile);

/** Reads a file for `apply`, with everything that is wrong with it as far as the file alone shows. */
export function readFile(text: string): Reading {
  const document = new FileDocument(text);
  const value = fitted(document, document.value, OperatorFile, '');
  let file: OperatorFile | null = null;
  if (document.value !== undefined) {
    if (!isOperatorFile(value)) reportShape(document, findings());
    file = wellShaped(value);
  }
  if (file) reportContents(document, file);
  return { file, document };
}

/**
 * The value as its schema wants it: without keys that the schema does not know, which are errors, without keys that
 * have no value unless null is one, and with names on one line.
 */
function fitted(document: FileDocument, value: unknown, shape: Shape, path: string): unknown {
  const fitting = shape.anyOf?.find(({ type }) => type === typeOf(value)) ?? shape;
  if (typeof value === 'number' && fitting['x-as-written']) return document.written(path) ?? value;
  if (fitting['x-pattern']) reportPattern(document, value, path);
  if (typeof value === 'string') return fitting['x-one-line'] ? oneLine(value).trim() : value;
  const { items, properties } = fitting;
  if (Array.isArray(value) && items) {
    for (const [index, item] of value.entries())
      value[index] = fitted(document, item, items, `${path}[${index}]`);
  } else if (isContainer(value) && !Array.isArray(value) && properties) {
    for (const [key, item] of Object.entries(value)) {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
      if (!property) reportUnknownKey(document, key, fitting, path);
      if (!property || (item === null && !admitsNull(property))) Reflect.deleteProperty(value, key);
      else Reflect.set(value, key, fitted(document, item, property, pathBelow(path, key)));
    }
  }
  return value;
}

function reportPattern(document: FileDocument, value: unknown, path: string): void {
  const read = parsePattern(value);
  if ('pattern' in read) return;
  for (const { field, message } of read.problems)
    document.report(isContainer(value) ? document.pathOf(value, field) : pathBelow(path, field), message);
}

function reportUnknownKey(document: FileDocument, key: string, shape: Shape, path: string): void {
  const known = Object.keys(shape.properties ?? {});
  const hint = didYouMean(key, known) || `; known keys are ${known.join(', ')}`;
  const message = `is not a key of ${shape.title ?? `${path.split('.').at(-1)}`}${hint}`;
  document.reportKey(pathBelow(path, key), message);
}

function admitsNull({ type, anyOf }: Shape): boolean {
  return type === 'null' || anyOf?.some(admitsNull) === true;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function findings(): Finding[] {
  return (isOperatorFile.errors ?? []) as unknown as Finding[];
}

/** What JSON Schema calls things, and what people who write YAML do. */
const WORDS: readonly [RegExp, string][] = [
  [/\ba JSON array\b/g, 'a list'],
  [/\ba JSON object\b/g, 'keys and values'],
  [/\ban array\b/g, 'a list'],
  [/\ban object\b/g, 'a map of keys and values'],
  [/\bis null\b/g, 'is empty'],
];

function reportShape(document: FileDocument, all: readonly Finding[]): void {
  const reported = new Set<string>();
  for (const finding of all) {
    const { instancePath: at, keyword } = finding;
    // Of the branches of a choice, the one that was meant says more than the one of another type.
    const isChoice = all.some((one) => one.keyword === 'anyOf' && one.instancePath === at);
    if (keyword === 'type' && isChoice && all.some((one) => one.instancePath.startsWith(`${at}/`))) continue;
    for (const { field, message } of findingsToDetails([finding], '')) {
      if (reported.has(field)) continue;
      reported.add(field);
      const said = WORDS.reduce((text, [word, better]) => text.replace(word, better), message);
      document.report(field, said + hint(finding));
    }
  }
}

/** What was probably meant. */
function hint({ keyword, data, parentSchema }: Finding): string {
  const { enum: choices, type } = parentSchema ?? {};
  if (keyword === 'enum' && typeof data === 'string' && Array.isArray(choices))
    return didYouMean(data, choices);
  const isQuotable = keyword === 'type' && type === 'string' && data !== null && typeof data !== 'object';
  return isQuotable ? '; put it in quotes if it is meant as a text' : '';
}

/** What is left when everything that has another shape is taken out. */
function wellShaped(value: unknown): OperatorFile | null {
  // What is taken out may have been required: then the part around it goes as well.
  while (!isOperatorFile(value)) {
    const pointers = [...new Set(findings().map(({ instancePath }) => instancePath))];
    if (pointers.includes('')) return null;
    const lists = pointers.map((pointer) => takeOut(value, pointer.split('/').slice(1)));
    for (const list of lists) list?.splice(0, list.length, ...list.filter((item) => item !== GONE));
  }
  return value;
}

const GONE = Symbol('gone');

/** Answers the list that now has a hole, if there is one: others may still have to be found in it by their index. */
function takeOut(root: unknown, keys: readonly string[]): unknown[] | undefined {
  const [last = '', ...above] = keys.toReversed();
  const parent = above
    .toReversed()
    .reduce<unknown>((value, key) => (isContainer(value) ? Reflect.get(value, key) : undefined), root);
  if (!isContainer(parent)) return undefined;
  // Plain values of a list have no path of their own: the list goes as a whole.
  if (Array.isArray(parent) && !isContainer(parent[Number(last)])) {
    return parent[Number(last)] === GONE ? undefined : takeOut(root, above.toReversed());
  }
  if (!Array.isArray(parent)) {
    Reflect.deleteProperty(parent, last);
    return undefined;
  }
  parent[Number(last)] = GONE;
  return parent;
}

function isDay(text: string): boolean {
  try {
    return /^\d{4}-\d\d-\d\d$/.test(text) && Temporal.PlainDate.from(text).toString() === text;
  } catch {
    return false;
  }
}
