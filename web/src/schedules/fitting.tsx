import classes from './fitting.module.css';

export type Length = 'few' | 'some' | 'long' | 'sentence';

/** What fits into its block: all of it, initials, or nothing. Who hovers, and who listens, is told all by the block itself. */
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
