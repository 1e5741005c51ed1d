import { oneLine } from '../../kit/one-line.ts';
import { shapeOf } from '../../kit/shape.ts';
import { type Finding, findingsToDetails } from '../../kit/validation.ts';
import { isEmail } from '../../people/email.ts';
import { isSlug } from '../../people/slug-contract.ts';
import { isUsername } from '../../people/usernames.ts';
import { parsePattern } from '../../schedules/pattern.ts';
import { reportContents } from './contents.ts';
import { FileDocument, isContainer, pathBelow } from './document.ts';
import { didYouMean } from './near.ts';
import { OperatorFile } from './shape.ts';

/** A file as far as it could be read: everything in `file` is well-formed, and the errors describe the rest. */
export type Reading = {
  /** Null: nothing is well-formed. */
  file: OperatorFile | null;
  /** The positions of the values in `file`. Errors that are found later are reported to it. */
  document: FileDocument;
};

/** The part of a JSON schema that the functions below use. */
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

const SHAPE = shapeOf<OperatorFile>(OperatorFile, {
  'email-address': isEmail,
  slug: isSlug,
  username: isUsername,
});

/** Reads a file for `apply`, and reports all errors that can be found without the database. */
export function readFile(text: string): Reading {
  const document = new FileDocument(text);
  const value = fitted(document, document.value, OperatorFile, '');
  let file: OperatorFile | null = null;
  if (document.value !== undefined) {
    reportShape(document, SHAPE.findings(value));
    file = wellShaped(value);
  }
  if (file) reportContents(document, file);
  return { file, document };
}

/**
 * Adapts a value to its schema: removes unknown keys and reports them, removes keys with null unless the schema allows
 * null, and puts names on one line.
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

/** Replaces JSON terms with words for people who write YAML. */
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
    // In a choice, an error inside the branch with the right type is more useful than the wrong type of another branch.
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

/** Suggests what was probably meant. */
function hint({ keyword, data, parentSchema }: Finding): string {
  const { enum: choices, type } = parentSchema ?? {};
  if (keyword === 'enum' && typeof data === 'string' && Array.isArray(choices))
    return didYouMean(data, choices);
  const isQuotable = keyword === 'type' && type === 'string' && data !== null && typeof data !== 'object';
  return isQuotable ? '; put it in quotes if it is a text' : '';
}

/** Removes everything that is not well-formed, and returns the rest. */
function wellShaped(value: unknown): OperatorFile | null {
  // A removed value may have been required, so the value around it is removed as well.
  while (!SHAPE.fits(value)) {
    const pointers = [...new Set(SHAPE.findings(value).map(({ instancePath }) => instancePath))];
    if (pointers.includes('')) return null;
    const lists = pointers.map((pointer) => takeOut(value, pointer.split('/').slice(1)));
    for (const list of new Set(lists)) list?.splice(0, list.length, ...list.filter((item) => item !== GONE));
  }
  return value;
}

const GONE = Symbol('gone');

/** Removes a value. In a list it leaves a placeholder, so that the other indexes stay valid, and returns the list. */
function takeOut(root: unknown, keys: readonly string[]): unknown[] | undefined {
  const [last = '', ...above] = keys.toReversed();
  const parent = above
    .toReversed()
    .reduce<unknown>((value, key) => (isContainer(value) ? Reflect.get(value, key) : undefined), root);
  if (!isContainer(parent)) return undefined;
  // Plain values in a list have no path of their own, so the whole list is removed.
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
