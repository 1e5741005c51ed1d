import type { Output } from './output.ts';
import type { Progress } from './progress.ts';

/** What every command is given. */
export type Session = {
  env: NodeJS.ProcessEnv;
  output: Output;
  progress: Progress;
  /** Aborts when the person or the system wants us to end. */
  signal: AbortSignal;
};
