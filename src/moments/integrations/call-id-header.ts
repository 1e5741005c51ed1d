import type { Adapter } from './adapter.ts';

const LONGEST = 200;

/** Reads the sender's number of a call from the first of these headers that is present. */
export function callIdHeader(...names: string[]): NonNullable<Adapter['senderCallId']> {
  return ({ headers }) => {
    for (const name of names) {
      const id = headers[name]?.trim();
      if (id) return id.length <= LONGEST ? id : null;
    }
    return null;
  };
}
