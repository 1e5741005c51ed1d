/**
 * How long a test waits for something that must happen, milliseconds. It is a bound for what never happens, not a
 * measurement: machines differ in speed, and no test may fail because its machine is slow.
 */
export const PATIENCE_MS = 60_000;
