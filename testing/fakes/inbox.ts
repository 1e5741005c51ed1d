import { PATIENCE_MS } from '../patience.ts';

/**
 * What a fake provider received. A story takes the items that it expects; an item that is left at the end is unexpected
 * and fails the story.
 */
export class Inbox<Item> {
  /** All items that ever arrived, taken or not. */
  readonly received: Item[] = [];
  readonly #what: string;
  readonly #untaken: Item[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(what: string) {
    this.#what = what;
  }

  add(item: Item): void {
    this.received.push(item);
    this.#untaken.push(item);
    for (const look of [...this.#waiting]) look();
  }

  /** Takes the oldest item that was not taken, and waits when there is none. */
  next(withinMs = PATIENCE_MS): Promise<Item> {
    return this.expect(() => true, withinMs);
  }

  /** Takes the oldest item that matches, and waits when there is none; fails after `withinMs`. */
  expect(matches: (item: Item) => boolean, withinMs = PATIENCE_MS): Promise<Item> {
    const { promise, resolve, reject } = Promise.withResolvers<Item>();
    const look = () => {
      const index = this.#untaken.findIndex(matches);
      if (index < 0) return;
      // Removed synchronously: a second item may arrive before the promise's callbacks run.
      this.#waiting.delete(look);
      clearTimeout(timer);
      resolve(this.#untaken.splice(index, 1)[0] as Item);
    };
    const late = () => {
      this.#waiting.delete(look);
      reject(new Error(`No such ${this.#what} within ${withinMs} ms. ${this.#listing()}`));
    };
    const timer = setTimeout(late, withinMs);
    this.#waiting.add(look);
    look();
    return promise;
  }

  /** Takes all items so far. */
  takeAll(): Item[] {
    return this.#untaken.splice(0);
  }

  get untaken(): readonly Item[] {
    return this.#untaken;
  }

  /** Describes the items that are left; null when there are none. */
  leftovers(): string | null {
    if (this.#untaken.length === 0) return null;
    return `${this.#untaken.length} ${this.#what}(s) that nobody expected: ${JSON.stringify(this.#untaken)}`;
  }

  #listing(): string {
    if (this.#untaken.length === 0) return `None is left of ${this.received.length} received.`;
    return `Received and not taken: ${JSON.stringify(this.#untaken)}`;
  }
}
