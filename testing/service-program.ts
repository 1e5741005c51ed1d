import { fileURLToPath } from 'node:url';

/**
 * The path of the program that tests start as the service: its source, or in a run of all tests the bundle of it, which
 * starts in half of the time (`service-bundle.ts`).
 */
export function serviceProgram(): string {
  return process.env.TEST_SERVICE ?? fileURLToPath(new URL('../src/main.ts', import.meta.url));
}
