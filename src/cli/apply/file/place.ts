/** A place in the file, both counted from 1. */
export type Place = { line: number; column: number };

/** What is wrong with the file, and where. Reads as a sentence: path, blank, message. */
export type Problem = Place & { path: string; message: string };

/** A value together with where it stands, for whatever can only be checked later. */
export type Placed<T> = { value: T; place: Place; path: string };

export function problemAt(placed: Placed<unknown>, message: string): Problem {
  return { ...placed.place, path: placed.path, message };
}

export function byPlace(a: Place, b: Place): number {
  return a.line - b.line || a.column - b.column;
}
