/**
 * What every program that a test starts gets, however bare its environment is otherwise: where programs are, and the zone.
 * The clock of `npm test -- --at TIME` they get by themselves (scripts/faked-time.c).
 */
const PASSED_ON = ['PATH', 'TZ', 'NODE_COMPILE_CACHE'];

/** The part of this process's environment that programs of a test need. */
export function passedOn(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  return Object.fromEntries(entries) as Record<string, string>;
}
