import type { SolverAnswer } from '../../optimizer/answer.ts';
import { NOTHING, type Programs } from '../../optimizer/programs.ts';
import type { ThreadMessage } from './worker.ts';

/** Programs of which everything is told that is found, so that it is not lost with the thread. */
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

/** Programs that are answered with what was found before, in the same order, and not begun again. */
export function replayed(found: readonly SolverAnswer[]): Programs {
  let next = 0;
  return { solve: async () => found[next++] ?? NOTHING };
}
