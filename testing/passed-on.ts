/**
 * What every program that a test starts gets, however bare its environment is otherwise: where programs are, zone and clock.
 * FAKETIME_SHARED names memory that programs of other users may not open; each makes its own.
 */
const PASSED_ON = /^(PATH|TZ|NODE_COMPILE_CACHE|LD_PRELOAD|FAKETIME(?!_SHARED).*)$/;

/**
 * The part of this process's environment that programs of a test need. Without the clock of `npm test -- --at TIME` a
 * server would live in another year than its database.
 */
export function passedOn(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}
