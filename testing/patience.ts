/**
 * How long tests wait for something that must happen, in milliseconds. This bounds what never happens and measures
 * nothing: no test may fail because its machine is slow.
 */
export const PATIENCE_MS = 60_000;
