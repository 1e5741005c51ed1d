/**
 * No shift is longer than this, which limits how far back to look: patterns have shifts of up to a year, and one after a
 * change of the pattern may be half as long again.
 */
export const LONGEST_SHIFT = { hours: 550 * 24 };
