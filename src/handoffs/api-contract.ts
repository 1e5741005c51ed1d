import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';
import { HandoffChange, HandoffFacts } from './contract.ts';

const written = {
  text: Type.String({ description: 'The text that people wrote for the hand-off, as Markdown.' }),
  written_by: Type.Union([Person, Type.Null()]),
};
const note = {
  schedule: Type.Object({ id: Type.String(), name: Type.String() }),
  since: Type.String({ ...TIME, description: 'The time of the previous hand-off.' }),
  changes: Type.Array(HandoffChange),
  facts: HandoffFacts,
};

/** The note of a past hand-off. */
export const HandoffNote = Type.Object(
  { id: Type.String(), at: Type.String(TIME), ...note, ...written },
  { title: 'HandoffNote' },
);
export type HandoffNote = Static<typeof HandoffNote>;

/** The note of the next hand-off as of now. */
export const NextHandoff = Type.Object(
  {
    ...note,
    at: Type.Union([Type.String(TIME), Type.Null()], {
      description: 'When the people change; null if no change is planned within 60 days.',
    }),
    ...written,
    revision: Type.Integer({
      description: 'The revision of the text, to send along with the next text; 0 if nobody has written one.',
    }),
    written_at: Type.Union([Type.String(TIME), Type.Null()]),
    may_write: Type.Boolean(),
  },
  { title: 'NextHandoff' },
);
export type NextHandoff = Static<typeof NextHandoff>;

export const handoffsApi = {
  next: endpoint('GET /api/schedules/:id/handoff', {
    summary: 'Show the note of the next hand-off',
    response: NextHandoff,
  }),
  write: endpoint('PUT /api/schedules/:id/handoff', {
    summary: 'Write for the next hand-off',
    description:
      'Saves the text that comes first in the hand-off note, which the people going off call and those coming on call get.',
    body: Type.Object({
      text: Type.String({ maxLength: 10_000, format: 'text' }),
      revision: Type.Integer({
        minimum: 0,
        maximum: 2_147_483_646,
        description: 'The revision that you read. If the text has changed since, the answer is 409.',
      }),
    }),
    response: NextHandoff,
  }),
  list: endpoint('GET /api/schedules/:id/handoffs', {
    summary: 'List the notes of the last hand-offs',
    description: 'Lists at most 20 notes, the latest first.',
    response: Type.Object({ notes: Type.Array(HandoffNote) }),
  }),
  show: endpoint('GET /api/handoffs/:id', {
    summary: 'Show the note of a hand-off',
    response: HandoffNote,
  }),
};
