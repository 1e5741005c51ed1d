/**
 * A test file that imports this runs in a process of its own; all others share processes (`shared-processes.ts`). Import
 * it first in a file that changes or measures its process, replaces the clock, or takes so long that no other file
 * should wait for it. `scripts/architecture.test.ts` names the files that should.
 */
export {};
