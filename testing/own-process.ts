/**
 * A test file that imports this runs in a process of its own; all others share processes (`shared-processes.ts`). Import
 * it first in a file that starts or changes a process, replaces the clock, or has hooks or waits outside
 * its suites. `scripts/architecture.test.ts` names the files that should.
 */
export {};
