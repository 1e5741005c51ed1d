import { oneLine } from '../kit/one-line.ts';

/** Longest name of a moment that came through a webhook, in characters (code points). */
export const NAME_LIMIT = 70;

/** Titles are read only up to this length, because a name needs only the beginning and the time must stay linear. */
const READ_LIMIT = 4_096;
/** A cut moves back at most this far to end with a whole word. */
const WORD_REACH = 15;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * One line of at most 70 characters, which ends with `…` if it was cut. It is cut between graphemes, so that emoji and
 * accents stay whole, and after a word if one ends nearby. `name` is empty when the title has no visible character.
 */
export function cutName(title: string): { name: string; cut: boolean } {
  const line = tidied(title.slice(0, READ_LIMIT));
  if (title.length <= READ_LIMIT && codePoints(line) <= NAME_LIMIT) return { name: line, cut: false };
  return { name: `${atWordEnd(firstGraphemes(line, NAME_LIMIT - 1))}…`, cut: true };
}

/** NFC on one line, with every run of white space replaced by one blank. */
function tidied(text: string): string {
  return oneLine(text.replaceAll('\u0000', ' ').toWellFormed().normalize('NFC')).replace(/\s+/gu, ' ').trim();
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function firstGraphemes(text: string, limit: number): string {
  let taken = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    taken += codePoints(segment);
    if (taken > limit) break;
    end = index + segment.length;
  }
  // A single grapheme may be longer than a name. Then its first code points are used.
  return end > 0 ? text.slice(0, end) : [...text.slice(0, limit * 2)].slice(0, limit).join('');
}

function atWordEnd(text: string): string {
  const space = text.lastIndexOf(' ');
  return space > 0 && space >= text.length - WORD_REACH ? text.slice(0, space) : text.trimEnd();
}
