import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';

/** A line and column of the file, both counted from 1. */
export type Position = { line: number; column: number };

/** An error in the file with its position. Path, space and message read as a sentence. */
export type FileError = Position & { path: string; message: string };

export function byPosition(a: Position, b: Position): number {
  return a.line - b.line || a.column - b.column;
}

/** The file has errors; nothing was changed. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly errors: FileError[];

  constructor(errors: readonly FileError[]) {
    super(`the file has ${errors.length === 1 ? 'an error' : `${errors.length} errors`}`);
    this.errors = errors.toSorted(byPosition);
  }
}

/** Reading stops at this many errors: looking for more would take long, and nobody reads them. */
const MOST_ERRORS = 200;

/** Far more than any organization needs, but not enough to overload the machine. */
export const MAX_FILE_BYTES = 10 * 1024 * 1024;

const MAX_MERGES = 8;
const START: Position = { line: 1, column: 1 };

/**
 * A YAML file as plain values with positions. A value keeps its path when others are removed from the same list, so
 * that errors found later still have the right line and column.
 */
export class FileDocument {
  /** Plain data. Undefined when the text is not YAML or is empty. */
  readonly value: unknown;
  readonly errors: FileError[] = [];
  readonly #positions = new Map<string, Position>();
  readonly #keys = new Map<string, Position>();
  readonly #written = new Map<string, string>();
  readonly #paths = new WeakMap<object, string>();
  readonly #open = new Set<Node>();
  readonly #document: Document;
  readonly #counter = new LineCounter();
  #room: number;

  constructor(text: string) {
    // Every value takes at least one character; only aliases can expand to more values than that.
    this.#room = text.length + 100_000;
    this.#document = parseDocument(text, { lineCounter: this.#counter, prettyErrors: false, merge: true });
    for (const { pos, message } of this.#document.errors.slice(0, MOST_ERRORS)) {
      const found = `is not valid YAML here: ${message.replace(/\s+/g, ' ')}`;
      this.errors.push({ ...this.#positionAt(pos[0]), path: 'the file', message: found });
    }
    if (this.errors.length === 0) this.value = this.#root();
  }

  /**
   * Reports an error at a path such as `users[0].email`, or at the nearest enclosing value with a position.
   * @throws FileRefused with all errors so far when there are `MOST_ERRORS`
   */
  report(path: string, message: string, position = this.positionOf(path)): void {
    this.errors.push({ ...position, path: path || 'the file', message });
    if (this.errors.length >= MOST_ERRORS) throw new FileRefused(this.errors);
  }

  /** Like `report`, but at the key instead of its value. */
  reportKey(path: string, message: string): void {
    this.report(path, message, this.#keys.get(path));
  }

  /** Whether there is an error at a path or below it. */
  hasErrorsAt(path: string): boolean {
    return this.errors.some(
      (error) => error.path.startsWith(path) && !/^\w/.test(error.path.slice(path.length)),
    );
  }

  positionOf(path: string): Position {
    for (let at = path; at !== ''; at = at.replace(/(\.?[^.[\]]+|\[\d+\])$/, '')) {
      const position = this.#positions.get(at);
      if (position) return position;
    }
    return this.#positions.get('') ?? START;
  }

  /**
   * The path of a map or list of this file, or of the value that `below` names in it, such as `stages[0].members[1]`.
   */
  pathOf(value: object, below = ''): string {
    let current: unknown = value;
    let path = this.#paths.get(value) ?? '';
    for (const key of below.match(/[^.[\]]+/g) ?? []) {
      path = Array.isArray(current) ? `${path}[${key}]` : pathBelow(path, key);
      current = isContainer(current) ? Reflect.get(current, key) : undefined;
      // Invalid entries were removed from lists, so look up the original path.
      if (isContainer(current)) path = this.#paths.get(current) ?? path;
    }
    return path;
  }

  /** A number as it was written, because YAML reads `+1500…` without quotes as a number. */
  written(path: string): string | undefined {
    return this.#written.get(path);
  }

  #root(): unknown {
    const { contents } = this.#document;
    if (isMap(contents) && contents.items.length > 0) {
      const value = this.#plain(contents, '', START);
      if (this.#room >= 0) return value;
      this.report('', 'expands its anchors too often; write the values out');
    } else if (contents === null || isMap(contents) || (isScalar(contents) && contents.value === null))
      this.report('', 'is empty; describe organization, users, teams, schedules or availabilities in it');
    else this.report('', 'is not a map; write keys with values, such as "users:" with a list below it');
    return undefined;
  }

  /** `at`: the position for an empty value. */
  #plain(node: Node | null, path: string, at: Position): unknown {
    // The value of an alias. Errors in it are reported at its anchor.
    const target = isAlias(node) ? (node.resolve(this.#document) ?? null) : node;
    const position = target?.range ? this.#positionAt(target.range[0]) : at;
    this.#positions.set(path, position);
    this.#room -= 1;
    if (target === null || this.#room < 0) return null;
    if (isScalar(target)) {
      if (typeof target.value === 'number' && target.source) this.#written.set(path, target.source);
      return target.value;
    }
    if (this.#open.has(target)) {
      this.report(path, 'contains itself; write it out', position);
      return null;
    }
    this.#open.add(target);
    const value = isSeq(target)
      ? target.items.map((item, index) => this.#plain(asNode(item), `${path}[${index}]`, position))
      : Object.fromEntries(
          this.#entries(target, position).map(({ key, node: below, at: keyAt }) => {
            const keyPath = pathBelow(path, key);
            this.#keys.set(keyPath, keyAt);
            return [key, this.#plain(below, keyPath, keyAt)];
          }),
        );
    this.#open.delete(target);
    this.#paths.set(value, path);
    return value;
  }

  /** The entries of a map. Those merged by `<<` do not replace the map's own. */
  #entries(map: Node | null, at: Position, depth = 0): { key: string; node: Node | null; at: Position }[] {
    // A map may merge itself.
    const target = isAlias(map) ? map.resolve(this.#document) : map;
    if (depth > MAX_MERGES || this.#room < 0) return [];
    if (isSeq(target)) return target.items.flatMap((item) => this.#entries(asNode(item), at, depth));
    if (!isMap(target)) return [];
    this.#room -= target.items.length;
    const own = target.items.flatMap((pair) => {
      if (!isPair(pair) || !isScalar(pair.key)) return [];
      // The parser marks a merge key with a symbol.
      const key = typeof pair.key.value === 'symbol' ? '<<' : String(pair.key.value);
      const keyAt = pair.key.range ? this.#positionAt(pair.key.range[0]) : at;
      return [{ key, node: asNode(pair.value), at: keyAt }];
    });
    const written = own.filter(({ key }) => key !== '<<');
    const names = new Set(written.map(({ key }) => key));
    const merged = own
      .filter(({ key }) => key === '<<')
      .flatMap(({ node }) => this.#entries(node, at, depth + 1))
      .filter(({ key }) => !names.has(key) && names.add(key));
    return [...written, ...merged];
  }

  #positionAt(offset: number): Position {
    const { line, col } = this.#counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function asNode(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}

export function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

export function pathBelow(path: string, key: string): string {
  if (key === '') return path;
  return path === '' ? key : `${path}.${key}`;
}
