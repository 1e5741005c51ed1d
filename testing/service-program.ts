import { fileURLToPath } from 'node:url';

/**
 * The path of the program that tests start as the service: its source, or in a run of all tests the bundle of it, which
 * starts in half of the time (`service-bundle.ts`).
 */
export function serviceProgram(): string {
  return process.env.TEST_SERVICE ?? fileURLToPath(new URL('../src/main.ts', import.meta.url));
}

/**
 * How Node.js runs the service in tests, where most of its processes live for seconds. With room for what they load, fewer
 * collections run meanwhile, and one thread of V8 collects and compiles with less processor time than four.
 */
export const SHORT_LIVED = ['--min-semi-space-size=16', '--v8-pool-size=1'];
