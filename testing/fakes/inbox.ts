import { PATIENCE_MS } from '../patience.ts';

/**
 * What a fake provider received. A story takes out what it expects; whatever is left over at the end was not
 * expected and fails the story.
 */
export class Inbox<Item> {
  /** Everything that ever arrived, taken or not. */
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

  /** Takes the oldest item that nobody took, waiting for it when there is none. */
  next(withinMs = PATIENCE_MS): Promise<Item> {
    return this.expect(() => true, withinMs);
  }

  /** Takes the oldest item that matches, waiting for it when there is none; fails after `withinMs`. */
  expect(matches: (item: Item) => boolean, withinMs = PATIENCE_MS): Promise<Item> {
    const { promise, resolve, reject } = Promise.withResolvers<Item>();
    const look = () => {
      const index = this.#untaken.findIndex(matches);
      if (index < 0) return;
      // Off the list at once: a second item may arrive before anybody sees that the promise is kept.
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

  /** Takes everything that has arrived so far. */
  takeAll(): Item[] {
    return this.#untaken.splice(0);
  }

  get untaken(): readonly Item[] {
    return this.#untaken;
  }

  /** One sentence on what is left over; null when nothing is. */
  leftovers(): string | null {
    if (this.#untaken.length === 0) return null;
    return `${this.#untaken.length} ${this.#what}(s) that nobody expected: ${JSON.stringify(this.#untaken)}`;
  }

  #listing(): string {
    if (this.#untaken.length === 0) return `None is left of ${this.received.length} received.`;
    return `Received and not taken: ${JSON.stringify(this.#untaken)}`;
  }
}
