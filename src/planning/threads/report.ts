import type { SolverAnswer } from '../../optimizer/answer.ts';
import { NOTHING, type Programs } from '../../optimizer/programs.ts';
import type { ThreadMessage } from './worker.ts';

/** Reports every answer as soon as it is found, so that it survives a crash of the thread. */
export function reported(programs: Programs, tell: (message: ThreadMessage) => void): Programs {
  return {
    async solve(request, improved = () => undefined) {
      tell({ kind: 'begun', seconds: request.timeLimitSeconds, answer: NOTHING });
      const answer = await programs.solve(request, (choice, bounds) => {
        tell({ kind: 'improved', answer: { ...NOTHING, choice, bounds } });
        improved(choice, bounds);
      });
      tell({ kind: 'solved', answer });
      return answer;
    },
  };
}

/** Returns earlier answers in the same order instead of running the programs again. */
export function replayed(found: readonly SolverAnswer[]): Programs {
  let next = 0;
  return { solve: async () => found[next++] ?? NOTHING };
}
