import { fullTime, shortTime } from './time.ts';

/** A time in its shortest form, with the full form as a tooltip. */
export function When({ at, now, className }: { at: string; now: Date; className?: string }) {
  return (
    <time dateTime={at} title={fullTime(at)} {...(className ? { className } : {})}>
      {shortTime(at, now)}
    </time>
  );
}
