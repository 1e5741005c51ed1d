/** Requests that run at the same time; a browser opens six connections to a server, and the alarm needs one. */
const AT_A_TIME = 3;

/** What became of the items of a bulk action, in their order. `why` is a sentence. */
export type BulkResult<Item> = {
  done: Item[];
  /** Nothing was to be done, or the service refused it. */
  failed: { item: Item; why: string }[];
};

/** Acts on each item with a request of its own. An error of one does not stop the others. */
export async function actOnEach<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<{ changed: boolean; message: string }>,
): Promise<BulkResult<Item>> {
  const waiting = [...items.entries()];
  const answers: (string | null)[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, item] = next;
      answers[index] = await act(item).then(
        ({ changed, message }) => (changed ? null : message),
        (error: Error) => error.message,
      );
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return {
    done: items.filter((_, index) => answers[index] === null),
    failed: items.flatMap((item, index) => {
      const why = answers[index];
      return typeof why === 'string' ? [{ item, why }] : [];
    }),
  };
}
