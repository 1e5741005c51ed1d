import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { EMAIL, TIME } from '../kit/published-contract.ts';

/** The dashboard's API for maintenance windows and silences. */

const WINDOW_EFFECTS = ['hold', 'record'] as const;
export type WindowEffect = (typeof WINDOW_EFFECTS)[number];

/** How long one occurrence of a window may last. */
export const MOST_WINDOW_DAYS = 366;

const Time = Type.String({ format: 'instant' });
const Named = Type.Object({ id: Type.String(), name: Type.String() });
const PersonShown = Type.Object({ id: Type.String(), name: Type.String(), email: Type.String(EMAIL) });

export const HeldShown = Type.Object({
  source: Named,
  title: Type.String(),
  events: Type.Integer(),
  first_at: Type.String(TIME),
  last_at: Type.String(TIME),
  waiting: Type.Boolean({ description: 'Whether it is still open, so that it pages when the window ends.' }),
  page: Type.Union([Type.Object({ id: Type.String(), state: Type.String() }), Type.Null()], {
    description: 'The latest page about it since then.',
  }),
});
export type HeldShown = Static<typeof HeldShown>;

const Occurrence = Type.Object({ starts_at: Type.String(TIME), ends_at: Type.String(TIME) });

export const WindowShown = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    team: Type.Object({ id: Type.String(), name: Type.String(), slug: Type.String() }),
    source: Type.Union([Named, Type.Null()], {
      description: 'The page source to which it applies; null for all sources of the team.',
    }),
    match: Type.Array(Type.String()),
    effect: Type.Enum([...WINDOW_EFFECTS], { type: 'string' }),
    silence: Type.Boolean(),
    state: Type.Enum(['upcoming', 'active', 'over'], { type: 'string' }),
    starts_at: Type.String({
      ...TIME,
      description: 'When the current occurrence began, or the next one will begin.',
    }),
    ends_at: Type.String(TIME),
    occurrences: Type.Array(Occurrence, {
      description:
        'The current or next occurrence and those after it, at most 5; empty if the window is over.',
    }),
    rrule: Nullable(Type.String()),
    zone: Nullable(Type.String()),
    repeats_until: Nullable(Type.String(TIME)),
    owner: Type.Union([PersonShown, Type.Null()], {
      description: 'The person who owns it; null for the operator.',
    }),
    created_at: Type.String(TIME),
    over_at: Nullable(Type.String(TIME)),
    ended_by: Type.Union([PersonShown, Type.Null()], {
      description: 'The person who ended it early; null if nobody did.',
    }),
    event_count: Type.Integer({
      description: 'The number of events in this occurrence that would have paged.',
    }),
    held_count: Type.Integer({ description: 'The number of alerts that these events were about.' }),
    held: Type.Array(HeldShown, { description: 'The latest 50 alerts.' }),
    may_change: Type.Boolean(),
  },
  { title: 'Window' },
);
export type WindowShown = Static<typeof WindowShown>;

const name = Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE });
const match = Type.Array(Type.String({ minLength: 1, maxLength: 500, format: 'text' }), {
  maxItems: 20,
  description:
    'Conditions `key=value`, `key!=value` or `key=~regex`, as in rules of sources, all of which must match.',
});
const effect = Type.Enum([...WINDOW_EFFECTS], {
  type: 'string',
  description:
    'What happens to alerts. With `hold`, the default, those that are still open at the end page then; with `record`, they are only recorded.',
});

export const NewWindowBody = Type.Object({
  team: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      format: 'text',
      description: 'The slug or ID of the team. Required unless `source`, `page` or `moment` is given.',
    }),
  ),
  source: Type.Optional(Type.String({ maxLength: 100, description: 'The ID of a page source.' })),
  match: Type.Optional(match),
  page: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a page that a page source raised, to silence its alert.',
    }),
  ),
  labels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500, format: 'text' }), {
      minItems: 1,
      maxItems: 20,
      description:
        'Labels of the `page`, such as `service=db`, to silence everything that has them instead of its dedup key. The preview lists the labels.',
    }),
  ),
  moment: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'The ID of a moment that a page source recorded, to silence its alert.',
    }),
  ),
  name: Type.Optional(name),
  effect: Type.Optional(effect),
  silence: Type.Optional(
    Type.Boolean({ description: 'Whether it is a silence, which begins now and does not repeat.' }),
  ),
  starts_at: Type.Optional(
    Type.String({ format: 'instant', description: 'When it begins. Now by default.' }),
  ),
  ends_at: Type.Optional(Time),
  minutes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_WINDOW_DAYS * 1_440,
      description: 'The minutes until it ends, instead of `ends_at`.',
    }),
  ),
  rrule: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      format: 'text',
      description:
        'The rule by which it repeats, with FREQ=DAILY, WEEKLY or MONTHLY, for example FREQ=WEEKLY;BYDAY=SU.',
    }),
  ),
  zone: Type.Optional(Type.String({ format: 'time-zone', description: 'The time zone of `rrule`.' })),
  repeats_until: Type.Optional(Time),
});

export const WindowChangeBody = Type.Object({
  name: Type.Optional(name),
  effect: Type.Optional(effect),
  match: Type.Optional(match),
  ends_at: Type.Optional(
    Type.String({
      format: 'instant',
      description: 'The new end of a window that does not repeat, later than now. DELETE ends it now.',
    }),
  ),
  repeats_until: Type.Optional(Nullable(Time)),
});
export type WindowChangeBody = Static<typeof WindowChangeBody>;

/** The effect of a window, before it is created. */
export const WindowPreview = Type.Object(
  {
    match: Type.Array(Type.String()),
    effect,
    labels: Type.Array(Type.String(), {
      description:
        'For a silence of a page, matchers for its labels, any of which can be given as `labels` instead of its dedup key.',
    }),
    occurrences: Type.Array(Occurrence, { description: 'The first 5 occurrences.' }),
    last_week: Type.Union(
      [
        Type.Object({
          pages: Type.Integer({
            description: 'The number of alerts, counted among at most the latest 200 of each source.',
          }),
          titles: Type.Array(Type.String(), { description: 'The titles of the latest 5 alerts.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'The pages of the last 7 days that it would have held or recorded; null if its matchers compare labels and some of these pages were raised by an older release, which did not store labels.',
      },
    ),
  },
  { title: 'WindowPreview' },
);
export type WindowPreview = Static<typeof WindowPreview>;

export const windowsApi = {
  list: endpoint('GET /api/windows', {
    summary: 'List maintenance windows and silences',
    description:
      'Lists windows and silences that are not over, the next to end first. With `state=active`, also what they hold now.',
    query: Type.Object({
      team: Type.Optional(Type.String({ maxLength: 200, format: 'text' })),
      state: Type.Optional(Type.Enum(['upcoming', 'active', 'over'], { type: 'string' })),
    }),
    response: Type.Object({ windows: Type.Array(WindowShown) }),
  }),
  create: endpoint('POST /api/windows', {
    summary: 'Create a maintenance window or a silence',
    body: NewWindowBody,
    response: WindowShown,
    status: [201],
  }),
  preview: endpoint('POST /api/windows/preview', {
    summary: 'Preview a maintenance window or a silence',
    description: 'Checks the body as POST /api/windows does, but creates nothing.',
    body: NewWindowBody,
    response: WindowPreview,
  }),
  show: endpoint('GET /api/windows/:id', {
    summary: 'Show a maintenance window or a silence',
    response: WindowShown,
  }),
  change: endpoint('PATCH /api/windows/:id', {
    summary: 'Change a maintenance window or a silence',
    body: WindowChangeBody,
    response: WindowShown,
  }),
  end: endpoint('DELETE /api/windows/:id', {
    summary: 'End a maintenance window or a silence now',
    description:
      'Ends it, so that it no longer repeats. Alerts that it holds page now if they are still open.',
    response: WindowShown,
  }),
};
