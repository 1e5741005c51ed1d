/** A worker thread that fails as its data says. Except for `always`, the thread that replaces it succeeds. */
import { parentPort, workerData } from 'node:worker_threads';
import { type Programs, programsHere } from '../../src/optimizer/programs.ts';
import { reported } from '../../src/planning/threads/report.ts';
import { workOut } from '../../src/planning/threads/work-out.ts';
import type { Assignment } from '../../src/planning/threads/worker.ts';

/** `late`: after it reported the best plan. */
export type Failing = { fails: 'at once' | 'late' | 'always' };

const { name, given, found } = workerData as Assignment;
const { fails } = given as unknown as Failing;
if (fails === 'always') throw new Error('nothing can be worked out');

const failing: Programs = {
  async solve(request, improved = () => undefined) {
    if (fails === 'late') {
      const { choice, bounds } = await programsHere().solve(request);
      if (choice) improved(choice, bounds);
    }
    throw new Error('out of memory');
  },
};
if (found) await import('../../src/planning/threads/worker.ts');
else
  await workOut(
    name,
    given,
    reported(failing, (message) => parentPort?.postMessage(message)),
  );
