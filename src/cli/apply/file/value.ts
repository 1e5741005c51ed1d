import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { oneLine } from '../../../kit/one-line.ts';
import { didYouMean } from './near.ts';
import type { Place, Placed, Problem } from './place.ts';

type Context = {
  document: Document;
  placeOf(offset: number): Place;
  problems: Problem[];
};

const MAX_MERGES = 8;

/** How a text may be. */
type TextLimits = { max?: number; blank?: boolean };

/**
 * A value of the file with its place and path. Reading it as something that it is not writes down a problem and gives
 * undefined, so that a reader goes on and finds the next problem as well.
 */
export class Value {
  readonly path: string;
  readonly place: Place;
  readonly #node: Node | null;
  readonly #context: Context;

  /** `at`: where a value that is not written out would stand. */
  constructor(node: Node | null, path: string, context: Context, at: Place = { line: 1, column: 1 }) {
    // What an alias stands for; a problem in it is shown where it was written.
    const target = isAlias(node) ? (node.resolve(context.document) ?? null) : node;
    this.#node = target;
    this.path = path;
    this.#context = context;
    this.place = target?.range ? context.placeOf(target.range[0]) : at;
  }

  /** Nothing, `null` or `~`. */
  get isNull(): boolean {
    return this.#node === null || (isScalar(this.#node) && this.#node.value === null);
  }

  problem(message: string): undefined {
    this.#context.problems.push({ ...this.place, path: this.path || 'the file', message });
    return undefined;
  }

  placed<T>(value: T): Placed<T> {
    return { value, place: this.place, path: this.path };
  }

  text({ max = 200, blank = false }: TextLimits = {}): string | undefined {
    const value = this.#scalar();
    if (typeof value !== 'string') return this.#wrongType('a text', typeof value !== 'object');
    if (value.includes('\u0000')) return this.problem('contains a NUL character; remove it');
    if (!blank && !/\S/.test(oneLine(value)))
      return this.problem(`is empty; give a text of 1 to ${max} characters`);
    const { length } = [...value];
    if (length > max) return this.problem(`has ${length} characters; give at most ${max}`);
    return blank ? value : oneLine(value);
  }

  /** The text as it was written, quotes aside: `+1500…` without quotes would else be read as a number. */
  written(): string | undefined {
    if (isScalar(this.#node) && typeof this.#node.value === 'number' && this.#node.source)
      return this.#node.source;
    return this.text();
  }

  choice<const T extends string>(choices: readonly T[]): T | undefined {
    const value = this.#scalar();
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    const hint = typeof value === 'string' ? didYouMean(value, choices) : '';
    return this.problem(`is ${this.#shown()}; give one of ${choices.join(', ')}${hint}`);
  }

  number({ min, max, whole = false }: { min: number; max: number; whole?: boolean }): number | undefined {
    const value = this.#scalar();
    const kind = whole ? 'a whole number' : 'a number';
    const fits = typeof value === 'number' && value >= min && value <= max;
    if (fits && (!whole || Number.isInteger(value))) return value;
    return this.problem(`is ${this.#shown()}; give ${kind} from ${min} to ${max.toLocaleString('en')}`);
  }

  flag(): boolean | undefined {
    const value = this.#scalar();
    return typeof value === 'boolean' ? value : this.problem(`is ${this.#shown()}; give true or false`);
  }

  list(): Value[] | undefined {
    if (!isSeq(this.#node)) return this.#wrongType('a list', false);
    return this.#node.items.map(
      (item, index) => new Value(item as Node | null, `${this.path}[${index}]`, this.#context, this.place),
    );
  }

  /** The keys of a map. Those that are not known are problems; `what` names the thing in the sentence. */
  fields<const K extends string>(what: string, known: readonly K[]): Fields<K> | undefined {
    if (!isMap(this.#node)) return this.#wrongType(`keys and values that describe ${what}`, false);
    const values = new Map<string, Value>();
    for (const { key, value, at } of this.#entries(this.#node)) {
      if (known.some((name) => name === key)) values.set(key, this.#child(key, value, at));
      else this.#unknownKey(what, key, known, at);
    }
    return {
      /** Undefined when the key is absent or without a value. */
      get: (name) => {
        const value = values.get(name);
        return value?.isNull ? undefined : value;
      },
      clears: (name) => values.get(name)?.isNull ?? false,
      require: (name, hint) => {
        const value = values.get(name);
        if (value && !value.isNull) return value;
        return (value ?? this.#child(name, null, this.place)).problem(`is missing; give ${hint}`);
      },
    };
  }

  /** The value as plain data, for readers of their own; undefined and a problem when it contains itself. */
  plain(): unknown {
    try {
      const plain: unknown = this.#node?.toJS(this.#context.document);
      // Throws for what contains itself, which no reader expects.
      JSON.stringify(plain);
      return plain;
    } catch {
      return this.problem('contains itself, or far too many copies; write it out');
    }
  }

  /** A problem of what is, or is not, at a path below this value. */
  problemBelow(path: string, message: string): undefined {
    const { place } = this.#below(path);
    const at =
      path && this.path ? `${this.path}${path.startsWith('[') ? '' : '.'}${path}` : path || this.path;
    this.#context.problems.push({ ...place, path: at, message });
    return undefined;
  }

  /** The value at a path such as `handoff` or `stages[0].stage` below this one; this one if there is none. */
  #below(path: string): Value {
    const keys = path.match(/[^.[\]]+/g) ?? [];
    let found: Value = this;
    for (const key of keys) {
      const node = isMap(found.#node) || isSeq(found.#node) ? found.#node.get(key, true) : undefined;
      if (!node) return found;
      found = found.#child(key, node as Node, found.place);
    }
    return found;
  }

  #child(key: string, node: Node | null, at: Place): Value {
    return new Value(node, this.path ? `${this.path}.${key}` : key, this.#context, at);
  }

  /** Keys with their values; those that `<<` brings in are taken where the map does not say otherwise. */
  #entries(map: YAMLMap, depth = 0): { key: string; value: Node | null; at: Place }[] {
    const own = map.items.flatMap((pair) => {
      if (!isPair(pair) || !isScalar(pair.key)) return [];
      // The parser marks the key of a merge by a symbol.
      const key = typeof pair.key.value === 'symbol' ? '<<' : String(pair.key.value);
      const at = pair.key.range ? this.#context.placeOf(pair.key.range[0]) : this.place;
      return [{ key, value: pair.value as Node | null, at }];
    });
    const merged = own
      .filter(({ key }) => key === '<<')
      .flatMap(({ value }) => this.#mergedEntries(value, depth + 1));
    const written = own.filter(({ key }) => key !== '<<');
    const names = new Set(written.map(({ key }) => key));
    return [...written, ...merged.filter(({ key }) => !names.has(key) && names.add(key))];
  }

  #mergedEntries(value: Node | null, depth: number): { key: string; value: Node | null; at: Place }[] {
    // A map may be written so that it merges itself.
    if (depth > MAX_MERGES) return [];
    const target = isAlias(value) ? value.resolve(this.#context.document) : value;
    if (isSeq(target)) return target.items.flatMap((item) => this.#mergedEntries(item as Node, depth + 1));
    return isMap(target) ? this.#entries(target, depth) : [];
  }

  #unknownKey(what: string, key: string, known: readonly string[], at: Place): void {
    const hint = didYouMean(key, known) || `; known keys are ${known.join(', ')}`;
    const path = this.path ? `${this.path}.${key}` : key;
    this.#context.problems.push({ ...at, path, message: `is not a key of ${what}${hint}` });
  }

  #scalar(): unknown {
    return isScalar(this.#node) ? this.#node.value : this.#node;
  }

  #wrongType(expected: string, quotable: boolean): undefined {
    const hint =
      quotable && !this.isNull ? `; put it in quotes if it is meant as ${expected}` : `; give ${expected}`;
    return this.problem(`is ${this.#shown()}${hint}`);
  }

  #shown(): string {
    if (this.isNull) return 'empty';
    if (isMap(this.#node)) return 'a map of keys and values';
    if (isSeq(this.#node)) return 'a list';
    const value = this.#scalar();
    const text = typeof value === 'string' ? JSON.stringify(value) : `the ${typeof value} ${String(value)}`;
    return text.length > 80 ? `${text.slice(0, 77)}…` : text;
  }
}

/** The keys of one map of the file. */
export type Fields<K extends string> = {
  /** Undefined when the key is absent or has no value. */
  get(name: K): Value | undefined;
  /** The key is written without a value, or with `null`: what was there is to be taken away. */
  clears(name: K): boolean;
  /** A problem when the key is absent; `hint` says what would be accepted. */
  require(name: K, hint: string): Value | undefined;
};
