import { type Static, Type } from 'typebox';

/** The dashboard's API for problems. Times are ISO 8601 in UTC. */

export const ProblemListQuery = Type.Object({
  state: Type.Enum(['open', 'closed'] as const, { type: 'string', default: 'open' }),
});
export type ProblemListQuery = Static<typeof ProblemListQuery>;

export type ProblemShown = {
  id: number;
  /** `channel:email`, `webhook:<id>`, `contact_method:<id>:<channel>`, … */
  subject: string;
  code: string;
  message: string;
  /** What to do about it. */
  fix: string;
  count: number;
  /** The address of the last caller, while calls still come to a URL that has ended; null otherwise. */
  last_address: string | null;
  first_at: string;
  last_at: string;
  /** When it was closed. */
  closed_at: string | null;
  /** The webhook concerned; null for channels. */
  webhook: { id: string; name: string; type: string; team: { name: string; slug: string } } | null;
  /** The person whose contact method is concerned; null for everything else. */
  person: { id: string; name: string } | null;
};

export type ProblemList = { problems: ProblemShown[] };
