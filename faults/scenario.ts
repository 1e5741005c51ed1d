import type { Place, PlaceOptions } from './place.ts';
import type { Random } from './random.ts';

/** What a scenario found: figures for the table, and each promise that did not hold, as a sentence. */
export type Verdict = {
  figures: Record<string, string | number>;
  broken: string[];
  /** Why it could not be tried on this machine. */
  skipped?: string;
};

export type Stage = {
  /** How long faults are made, seconds. */
  seconds: number;
  /** True inside `npm test`: fewer rounds of the same. */
  short: boolean;
  random: Random;
  /** A database, a receiver and an organization of the scenario's own; gone when it ends. */
  place(options?: PlaceOptions): Promise<Place>;
};

export type Scenario = {
  name: string;
  /** One sentence: what is done, and what must hold. */
  promise: string;
  /** Also runs inside `npm test`. */
  inShortForm?: boolean;
  run(stage: Stage): Promise<Verdict>;
};
