import { fullTime, shortTime } from './time.ts';

/** A time in words, as short as it can be; the whole of it when pointed at. */
export function When({ at, now, className }: { at: string; now: Date; className?: string }) {
  return (
    <time dateTime={at} title={fullTime(at)} {...(className ? { className } : {})}>
      {shortTime(at, now)}
    </time>
  );
}
