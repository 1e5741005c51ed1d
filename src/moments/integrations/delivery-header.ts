import type { Adapter } from './adapter.ts';

const LONGEST = 200;

/** A sender's number of a delivery stands in the first of these headers that is there. */
export function deliveryHeader(...names: string[]): NonNullable<Adapter['deliveryId']> {
  return ({ headers }) => {
    for (const name of names) {
      const id = headers[name]?.trim();
      if (id) return id.length <= LONGEST ? id : null;
    }
    return null;
  };
}
