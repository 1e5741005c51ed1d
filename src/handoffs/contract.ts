import { type Static, Type } from 'typebox';
import { TIME } from '../kit/published-contract.ts';
import { URGENCIES } from '../pages/contract.ts';
import { Person } from '../people/contract.ts';

/** The most entries of each list; `more` counts the rest. */
export const MOST_LISTED = 20;

const Stage = Type.Number({ description: 'The number of the stage, which may be a decimal.' });
const Span = { stage: Stage, starts_at: Type.String(TIME), ends_at: Type.String(TIME) };

export const HandoffChange = Type.Object({
  stage: Stage,
  from: Type.Array(Person, { description: 'The people whose shifts end, and who do not go on.' }),
  to: Type.Array(Person, { description: 'The people whose shifts begin.' }),
});
export type HandoffChange = Static<typeof HandoffChange>;

const listOf = <Item extends Type.TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    more: Type.Integer({ description: 'The number of items that are left out.' }),
  });

/** Information from the service for the people who are next on call. */
export const HandoffFacts = Type.Object({
  open_pages: listOf(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      urgency: Type.Enum([...URGENCIES], { type: 'string' }),
      state: Type.String(),
      created_at: Type.String(TIME),
    }),
  ),
  rang: Type.Object(
    {
      pages: Type.Integer(),
      high: Type.Integer(),
      expired: Type.Integer({ description: 'The number of pages that nobody answered.' }),
      titles: Type.Array(Type.Object({ title: Type.String(), pages: Type.Integer() }), {
        description: 'The titles with the most pages, at most 5.',
      }),
    },
    { description: 'Pages of the team since the hand-off before.' },
  ),
  windows: listOf(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      silence: Type.Boolean(),
      ends_at: Type.String(TIME),
    }),
  ),
  problems: listOf(Type.Object({ message: Type.String(), fix: Type.String() })),
  covers: listOf(
    Type.Object({
      ...Span,
      person: Person,
      instead_of: Type.Union([Person, Type.Null()]),
      is_new: Type.Boolean({ description: 'Whether it was arranged since the hand-off before.' }),
    }),
  ),
  gaps: listOf(Type.Object(Span)),
  published_at: Type.Union([Type.String(TIME), Type.Null()], {
    description: 'When a new plan was last published since the hand-off before.',
  }),
});
export type HandoffFacts = Static<typeof HandoffFacts>;
