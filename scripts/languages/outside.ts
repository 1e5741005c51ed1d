import { parseSync } from 'oxc-parser';

/** Attributes whose value people read or hear. */
const ATTRIBUTES = new Set([
  ...['title', 'aria-label', 'aria-description', 'alt', 'placeholder', 'label', 'description', 'hint'],
  ...['about', 'go', 'keep', 'lead', 'submit', 'suffix', 'summary', 'then', 'words'],
]);
/** Properties that hold a text for people, as the options of a field do. */
const PROPERTIES = new Set(['label', 'short', 'word', 'hint', 'description']);
/** Functions that show their first argument. */
const SHOWN_BY = new Set(['showToast', 'showUndo', 'Error']);
/** Elements whose text is the same in every language: keys and code. */
const CODE = new Set(['code', 'kbd', 'pre']);
/** Names of the product and of formats. */
const NAMES = new Set(['Tocsin', 'CSV', 'iCal', 'pid']);
const WORD = /\p{L}{2,}/gu;

type Node = {
  type?: string;
  start: number;
  value?: unknown;
  raw?: string;
  name?: { name?: unknown } | string;
  key?: unknown;
  attributes?: Node[];
  openingElement?: Node;
  children?: Node[];
  expression?: Node;
  callee?: { name?: string };
  arguments?: Node[];
  consequent?: Node;
  alternate?: Node;
  left?: Node;
  right?: Node;
  quasis?: { value: { cooked: string } }[];
};

/**
 * An error for each text of a view that people see and that does not go through the catalogue: text between tags, in an
 * attribute or property that people read, or in a message. Variables and the answers of functions are not followed; the dashboard's story
 * in the made-up language finds those.
 */
export function textsOutside(path: string, code: string): string[] {
  const found: number[] = [];
  visit(parseSync(path, code).program, found);
  return found.map(
    (at) =>
      `${path}:${code.slice(0, at).split('\n').length}: this text is outside of the catalogue; put it into t('…') or <Rich>.`,
  );
}

/** An error for each word that a style sheet shows, which no translation can reach. */
export function wordsOfStyles(path: string, css: string): string[] {
  return css
    .split('\n')
    .flatMap((line, index) =>
      /\bcontent:\s*(["']).*\p{L}{2,}.*\1/u.test(line)
        ? [`${path}:${index + 1}: a style sheet cannot show words; put t('…') into the view.`]
        : [],
    );
}

function visit(node: unknown, found: number[]): void {
  if (typeof node !== 'object' || node === null) return;
  if (Array.isArray(node)) {
    for (const one of node) visit(one, found);
    return;
  }
  if (isCode(node as Node)) return;
  for (const text of shownBy(node as Node)) found.push(...literalsIn(text));
  for (const one of Object.values(node)) visit(one, found);
}

function isCode({ type, openingElement }: Node): boolean {
  if (type !== 'JSXElement') return false;
  const isKey = openingElement?.attributes?.some(
    ({ name, value }) =>
      nameOf(name) === 'className' && /\bkbd\b/.test(String((value as Node | null)?.value)),
  );
  return isKey === true || CODE.has(nameOf(openingElement?.name));
}

/** The expressions of a node whose text people see. */
function shownBy(node: Node): Node[] {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return node.children ?? [];
    case 'JSXAttribute':
      return ATTRIBUTES.has(nameOf(node.name)) && node.value && !isSlug(node) ? [node.value as Node] : [];
    case 'Property':
      return PROPERTIES.has(nameOf(node.key)) ? [node.value as Node] : [];
    case 'CallExpression':
    case 'NewExpression':
      return SHOWN_BY.has(node.callee?.name ?? '') ? (node.arguments ?? []).slice(0, 1) : [];
    default:
      return [];
  }
}

/** `placeholder="site-reliability"`: an example of a name that people type. */
function isSlug({ name, value }: Node): boolean {
  return nameOf(name) === 'placeholder' && /^[a-z-]+$/.test(String((value as Node).value));
}

/** The places of all literals that an expression can evaluate to. */
function literalsIn(node: Node | undefined): number[] {
  switch (node?.type) {
    case 'JSXText':
    case 'Literal':
      return typeof node.value === 'string' && isText(node.value) ? [node.start + leading(node.value)] : [];
    case 'TemplateLiteral':
      return node.quasis?.some(({ value }) => isText(value.cooked)) ? [node.start] : [];
    case 'JSXExpressionContainer':
      return literalsIn(node.expression);
    case 'ConditionalExpression':
      return [...literalsIn(node.consequent), ...literalsIn(node.alternate)];
    case 'LogicalExpression':
      return literalsIn(node.right);
    default:
      return [];
  }
}

/** Examples of addresses, numbers and conditions are the same in every language. */
function isText(text: string): boolean {
  if (/[@=_+\d]|:\/\//.test(text)) return false;
  return (text.match(WORD) ?? []).some((word) => !NAMES.has(word));
}

const leading = (text: string): number => text.length - text.trimStart().length;

function nameOf(name: unknown): string {
  if (typeof name === 'string') return name;
  return typeof name === 'object' && name !== null ? nameOf((name as { name?: unknown }).name) : '';
}
