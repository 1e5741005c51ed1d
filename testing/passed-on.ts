/**
 * Environment variables that every program of a test gets, even when its environment is otherwise empty. The clock of
 * `npm test -- --at TIME` reaches programs without a variable (scripts/faked-time.c).
 */
const PASSED_ON = ['PATH', 'TZ', 'NODE_COMPILE_CACHE'];

/** The part of this process's environment that programs of tests need. */
export function passedOn(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => PASSED_ON.includes(name));
  return Object.fromEntries(entries) as Record<string, string>;
}
