import classes from './fitting.module.css';

export type Length = 'few' | 'some' | 'long' | 'sentence';

/**
 * A text that fits its block: in full, as initials, or not at all. The block's own title and accessible name hold the
 * full text.
 */
export function Fitting({ full, short, length }: { full: string; short: string; length?: Length }) {
  return (
    <>
      <span className={classes.full} data-length={length ?? lengthOf(full)}>
        {full}
      </span>
      <span className={classes.short} data-short={short} />
    </>
  );
}

function lengthOf(text: string): Length {
  if (text.length <= 4) return 'few';
  return text.length <= 7 ? 'some' : 'long';
}
