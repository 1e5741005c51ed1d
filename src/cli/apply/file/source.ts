import { type Document, isMap, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import type { Place, Problem } from './place.ts';
import { Value } from './value.ts';

/** A file that was read, as far as it is YAML at all. */
export type Source = { root: Value | null; problems: Problem[] };

/** Far more than any organization needs, far less than what would hold up the machine. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Reads the text as one YAML document. What is wrong with its values is added to `problems` as they are read. */
export function readSource(text: string): Source {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false, merge: true });
  const problems: Problem[] = [];
  const placeOf = (offset: number): Place => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  for (const error of document.errors)
    problems.push({ ...placeOf(error.pos[0]), path: 'the file', message: yamlMessage(error.message) });
  const root = rootOf(document, { document, placeOf, problems });
  return { root, problems };
}

function rootOf(
  document: Document.Parsed<ParsedNode>,
  context: ConstructorParameters<typeof Value>[2],
): Value | null {
  if (context.problems.length > 0) return null;
  const { contents } = document;
  if (isMap(contents) && contents.items.length > 0) return new Value(contents, '', context);
  const message =
    contents === null || isMap(contents) || (isScalar(contents) && contents.value === null)
      ? 'is empty; describe organization, users, teams, schedules or availabilities in it'
      : 'must consist of keys and values, such as "users:" and what belongs to it';
  context.problems.push({ line: 1, column: 1, path: 'the file', message });
  return null;
}

function yamlMessage(message: string): string {
  return `is not valid YAML here: ${message.replace(/\s+/g, ' ')}`;
}
