import { type Applied, applyFile } from '../src/apply/apply.ts';
import { createSolver } from '../src/planning/threads/solver.ts';
import type { Story } from './story.ts';

/** Applies a file to the story's organization. Without `prune`, entries that are missing from the file are kept. */
export function applyText({ db, clock, sealing }: Story, text: string, prune = false): Promise<Applied> {
  const services = {
    by: 'operator' as const,
    db,
    clock,
    sealing,
    solver: createSolver(),
    report: () => undefined,
  };
  return applyFile(services, text, { dryRun: false, prune });
}
