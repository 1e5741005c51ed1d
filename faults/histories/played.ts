/** The result of a history: the promises that it broke, as sentences, each with the number of its act. */
export type Played = {
  broken: string[];
  deaths: number;
  pages: number;
  notifications: number;
  loose: number;
  /** The service may be damaged. */
  isUnusable?: boolean;
};

/** A history that ended with an error instead of a comparison. */
export function couldNotPlay(error: unknown): Played {
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { broken: [reason], deaths: 0, pages: 0, notifications: 0, loose: 0, isUnusable: true };
}
