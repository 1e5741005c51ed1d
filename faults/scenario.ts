import type { Place, PlaceOptions } from './place.ts';
import type { Random } from './random.ts';

/** The result of a scenario: figures for the table, and each broken promise as a sentence. */
export type Verdict = {
  figures: Record<string, string | number>;
  broken: string[];
  /** Why this machine cannot run it. */
  skipped?: string;
};

export type Stage = {
  /** Duration of the faults in seconds. */
  seconds: number;
  /** True within `npm test`, for fewer rounds. */
  short: boolean;
  random: Random;
  /** Creates a database, a receiver and an organization for the scenario, which are removed when it ends. */
  place(options?: PlaceOptions): Promise<Place>;
};

export type Scenario = {
  name: string;
  /** One sentence: the fault, and what must hold. */
  promise: string;
  /** Runs within `npm test` as well. */
  inShortForm?: boolean;
  run(stage: Stage): Promise<Verdict>;
};
