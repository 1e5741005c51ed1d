import { distance } from '../../kit/validation.ts';

/** The known word that was probably meant, with a few different letters, in any case. */
export function nearest(word: string, known: Iterable<string>): string | null {
  const given = word.toLowerCase();
  const allowed = given.length <= 3 ? 1 : 2;
  let best: { word: string; edits: number } | null = null;
  for (const candidate of known) {
    if (Math.abs(candidate.length - given.length) > allowed) continue;
    const edits = distance(given, candidate.toLowerCase());
    if (edits <= allowed && (!best || edits < best.edits)) best = { word: candidate, edits };
  }
  return best?.word ?? null;
}

/** `; did you mean x?`, or an empty text. */
export function didYouMean(word: string, known: Iterable<string>): string {
  const near = nearest(word, known);
  return near === null ? '' : `; did you mean ${near}?`;
}
