import { parseSync } from 'oxc-parser';

/** A text of the code that has to be translated. */
export type Message = {
  /** The English message, with ` [[context]]` where one is given. */
  key: string;
  /** Where it is, as `path:line`. */
  place: string;
  /** Whether it is stored in English and translated when it is shown. */
  isStored: boolean;
};

export type Found = { messages: Message[]; errors: string[] };

/** The functions that take a message, and the position of the message among their arguments. */
const FUNCTIONS: Readonly<Record<string, number>> = { t: 0, tIn: 1, tParts: 0, stored: 0 };

type Node = {
  type?: string;
  start: number;
  callee?: Node & { name?: string };
  arguments?: Node[];
  name?: (Node & { name?: string }) | string;
  attributes?: Node[];
  value?: unknown;
  consequent?: Node;
  alternate?: Node;
  quasis?: { value: { cooked: string } }[];
};

/** The messages of a TypeScript file, and an error for each call whose message is not a literal. */
export function messagesOf(path: string, code: string): Found {
  const found: Found = { messages: [], errors: [] };
  if (!/\b(?:t|tIn|tParts|stored)\(|<Rich\b/.test(code)) return found;
  const { program } = parseSync(path, code);
  const lines = [...code.matchAll(/\n/g)].map(({ index }) => index);
  const place = (at: number) => `${path}:${lines.filter((line) => line < at).length + 1}`;
  visit(program, (node) => readNode(node as Node, place, found));
  return found;
}

function readNode(node: Node, place: (at: number) => string, { messages, errors }: Found): void {
  const given = messageOf(node);
  if (!given) return;
  const texts = given.message ? textsOf(given.message) : null;
  const contexts = given.context ? textsOf(given.context) : [''];
  if (!texts || contexts?.length !== 1)
    errors.push(`${place(node.start)}: the message is not a literal, so it cannot be extracted.`);
  else
    for (const text of texts) {
      const isStored = node.callee?.name === 'stored';
      if (isStored && /\{\w+,/.test(text))
        errors.push(`${place(node.start)}: a stored message cannot have plurals; make two messages.`);
      messages.push({
        key: contexts[0] ? `${text} [[${contexts[0]}]]` : text,
        place: place(node.start),
        isStored,
      });
    }
}

/** The message of a call of `t`, or of an element `<Rich text="…">`; null for every other node. */
function messageOf(node: Node): { message: Node | undefined; context?: Node | undefined } | null {
  if (node.type === 'CallExpression' && node.callee?.type === 'Identifier') {
    const at = FUNCTIONS[node.callee.name ?? ''];
    if (at === undefined) return null;
    return { message: node.arguments?.[at], ...(at === 1 ? { context: node.arguments?.[0] } : {}) };
  }
  if (node.type !== 'JSXOpeningElement' || (node.name as Node & { name?: string }).name !== 'Rich')
    return null;
  const text = node.attributes?.find((one) => (one.name as { name?: string } | undefined)?.name === 'text');
  return { message: text?.value as Node | undefined };
}

/** The texts that a literal, or a choice between literals, can be; null if it is anything else. */
function textsOf(node: Node): string[] | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type === 'JSXExpressionContainer')
    return textsOf((node as unknown as { expression: Node }).expression);
  if (node.type === 'TemplateLiteral' && node.quasis?.length === 1)
    return [node.quasis[0]?.value.cooked ?? ''];
  if (node.type === 'ConditionalExpression' && node.consequent && node.alternate) {
    const [one, other] = [textsOf(node.consequent), textsOf(node.alternate)];
    return one && other ? [...one, ...other] : null;
  }
  return null;
}

function visit(node: unknown, read: (node: object) => void): void {
  if (typeof node !== 'object' || node === null) return;
  if (!Array.isArray(node)) read(node);
  for (const one of Object.values(node)) visit(one, read);
}
