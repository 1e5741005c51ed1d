import type { Output } from './output.ts';
import type { Progress } from './progress.ts';

/** The parameters of every command. */
export type Session = {
  env: NodeJS.ProcessEnv;
  output: Output;
  progress: Progress;
  /** Aborts when the person or the system ends the command. */
  signal: AbortSignal;
};
