import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';

/** The dashboard's API for problems. Times are ISO 8601 in UTC. */

export const ProblemShown = Type.Object({
  id: Type.Integer(),
  subject: Type.String({
    description:
      'What the problem is about: `channel:email`, `webhook:<id>`, `contact_method:<id>:<channel>` and so on.',
  }),
  code: Type.String(),
  message: Type.String(),
  fix: Type.String({ description: 'What to do about it.' }),
  count: Type.Integer(),
  last_address: Type.Union([Type.String(), Type.Null()], {
    description:
      'The address of the last caller, while calls still come to a URL that has ended; null otherwise.',
  }),
  first_at: Type.String(TIME),
  last_at: Type.String(TIME),
  closed_at: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'When the problem was closed; null while it is open.',
  }),
  webhook: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        type: Type.String(),
        team: Type.Object({
          name: Type.String(),
          slug: Type.String(),
        }),
      }),
      Type.Null(),
    ],
    { description: 'The webhook concerned; null for channels.' },
  ),
  person: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'The person whose contact method is concerned; null for everything else.' },
  ),
});
export type ProblemShown = Static<typeof ProblemShown>;

export const problemsApi = {
  list: endpoint('GET /api/problems', {
    summary: 'List problems',
    description: 'Lists open problems and how to fix them, or those that were closed.',
    query: Type.Object({ state: Type.Enum(['open', 'closed'], { type: 'string', default: 'open' }) }),
    response: Type.Object({ problems: Type.Array(ProblemShown) }),
  }),
};
