import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Person } from '../people/contract.ts';

/** The lists of the dashboard whose filters can be saved. */
export const LISTS = ['pages', 'moments'] as const;
export const List = Type.Enum(LISTS, { type: 'string' });
export type List = Static<typeof List>;

/** The most views that a team saves for each list. */
export const MOST_VIEWS = 50;

const Name = Type.String({ minLength: 1, maxLength: 80, ...ONE_LINE });
const Query = Type.String({
  maxLength: 2_000,
  pattern: '^[^#\\s]*$',
  description:
    'The filters, as they stand after the question mark in the address of the list: `show=all&urgency=high`.',
});

export const SavedView = Type.Object(
  {
    id: Type.String(),
    list: List,
    name: Type.String(),
    query: Query,
    team: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }),
    created_by: Type.Union([Person, Type.Null()]),
    created_at: Type.String(TIME),
    own_team: Type.Boolean({ description: 'Whether the viewer is in the team.' }),
    may_change: Type.Boolean(),
  },
  { title: 'SavedView' },
);
export type SavedView = Static<typeof SavedView>;

export const viewsApi = {
  list: endpoint('GET /api/saved-views', {
    summary: 'List the saved views of a list',
    description: 'Lists the views of all teams, by name.',
    query: Type.Object({ list: List }),
    response: Type.Object({ views: Type.Array(SavedView) }),
  }),
  save: endpoint('POST /api/saved-views', {
    summary: 'Save filters for a team',
    description: `Saves the filters under a name of their own. A team has at most ${MOST_VIEWS} for each list.`,
    body: Type.Object({
      team: Type.String({
        minLength: 1,
        maxLength: 100,
        format: 'text',
        description: 'The slug or ID of a team.',
      }),
      list: List,
      name: Name,
      query: Query,
    }),
    response: SavedView,
    status: [201],
  }),
  change: endpoint('PATCH /api/saved-views/:id', {
    summary: 'Rename a saved view, or save other filters in it',
    body: Type.Object({ name: Type.Optional(Name), query: Type.Optional(Query) }),
    response: SavedView,
  }),
  remove: endpoint('DELETE /api/saved-views/:id', {
    summary: 'Delete a saved view',
    description: 'Returns the view as it was, with which it can be saved again.',
    response: SavedView,
  }),
};
