import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { EMAIL, TIME } from '../kit/published-contract.ts';
import { OFFERED } from '../language/contract.ts';
import { MethodShown, ReachShown } from './contact-contract.ts';
import { ChannelName, Role } from './contract.ts';

/** What the dashboard reads and sends about people. Times are ISO 8601 in UTC. */

const Name = Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE });
const Username = Type.String({ minLength: 1, maxLength: 100 });
const TimeZone = Type.String({ maxLength: 100, format: 'time-zone' });
/** `22:00`, in the person's own zone. */
const Clock = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'A time of day such as 22:00.',
});

export const CLOCKS = ['device', '24', '12'] as const;
export type ClockChoice = (typeof CLOCKS)[number];
export const ClockOfDay = Type.Enum([...CLOCKS], {
  type: 'string',
  description: 'Whether the dashboard shows times of day in 24 or 12 hours, or as the person’s browser does.',
});

export const LanguageName = Type.Enum([...OFFERED], {
  type: 'string',
  description: 'The language of the dashboard, of messages and of calls, as a BCP 47 tag.',
});
export const OwnLanguage = Type.Union([LanguageName, Type.Null()], {
  description:
    'The language; null for the language of the browser in the dashboard, and that of the organization in messages and calls.',
});

/** Fields that are left out do not change. */
export const ProfileBody = Type.Object({
  name: Type.Optional(Name),
  username: Type.Optional(Username),
  time_zone: Type.Optional(TimeZone),
  sleep: Type.Optional(Type.Object({ from: Clock, until: Clock })),
  clock: Type.Optional(ClockOfDay),
  language: Type.Optional(OwnLanguage),
});
export type ProfileBody = Static<typeof ProfileBody>;

export const Profile = Type.Object({
  id: Type.String(),
  name: Type.String(),
  username: Type.String(),
  email: Type.String(),
  role: Role,
  time_zone: Type.String(),
  sleep: Type.Object(
    {
      from: Type.String(TIME),
      until: Type.String(TIME),
    },
    {
      description:
        'The hours in which a page counts as waking the person. It does not affect whom pages notify.',
    },
  ),
  clock: ClockOfDay,
  language: OwnLanguage,
});
export type Profile = Static<typeof Profile>;

/** What an admin may change about another person. Fields that are left out do not change. */
export const PersonChangeBody = Type.Object({
  name: Type.Optional(Name),
  username: Type.Optional(Username),
  time_zone: Type.Optional(TimeZone),
  role: Type.Optional(Type.String({ maxLength: 100 })),
});
export type PersonChangeBody = Static<typeof PersonChangeBody>;

export const PersonSummary = Type.Object({
  ...ReachShown.properties,
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  username: Type.String(),
  role: Role,
  disabled: Type.Boolean(),
  teams: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      slug: Type.String(),
      role: Type.Enum(['manager', 'member'], { type: 'string' }),
    }),
  ),
  on_call: Type.Array(
    Type.Object({
      schedule: Type.Object({
        id: Type.String(),
        name: Type.String(),
      }),
      stage: Type.Number(),
      until: Type.String(TIME),
    }),
  ),
  why_not_in_short: Type.Union([Type.String(), Type.Null()], {
    description:
      'The reasons why the person cannot be reached, without those of `not_set_up`, which apply to everybody.',
  }),
  proved_at: Type.Union([Type.String(TIME), Type.Null()], {
    description:
      'When the person last verified a contact method, or a provider last accepted a page for them.',
  }),
  reached_at: Type.Union([Type.String(TIME), Type.Null()]),
});
export type PersonSummary = Static<typeof PersonSummary>;

export const PeopleOverview = Type.Object({
  people: Type.Array(PersonSummary),
  not_set_up: Type.Array(ChannelName, {
    description: 'Channels that are not set up, so that no notification can use them.',
  }),
});
export type PeopleOverview = Static<typeof PeopleOverview>;

export const PersonDetail = Type.Object({
  ...PersonSummary.properties,
  time_zone: Type.String(),
  contact_methods: Type.Array(MethodShown),
  shifts: Type.Array(
    Type.Object({
      id: Type.String(),
      schedule: Type.Object({
        id: Type.String(),
        name: Type.String(),
      }),
      stage: Type.Number(),
      starts_at: Type.String(TIME),
      ends_at: Type.String(TIME),
    }),
    { description: 'The next shifts, the soonest first, including those that have begun.' },
  ),
  created_at: Type.String(TIME),
  may: Type.Object({
    change: Type.Boolean(),
    roles: Type.Array(Role, { description: 'The roles that the viewer may give the person.' }),
    disable: Type.Boolean(),
    why_not: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the viewer may not disable them or lower their role; null if the viewer may.',
    }),
  }),
});
export type PersonDetail = Static<typeof PersonDetail>;

/** What ended when a person lost their rights, and the secrets that they may have copied. */
export const AccessEnded = Type.Object({
  sessions: Type.Integer(),
  api_keys: Type.Integer(),
  invitations: Type.Integer(),
  sign_in_links: Type.Integer({
    description: 'The number of sign-in links that the person created for others.',
  }),
  calendar_feeds: Type.Integer(),
  to_rotate: Type.Array(
    Type.Object({ id: Type.String(), name: Type.String(), team: Type.String(), signed: Type.Boolean() }),
    { description: 'The webhooks whose URL and signing secret the person could read; give each a new one.' },
  ),
  to_rotate_total: Type.Integer({ description: 'The total number of webhooks; the list may be shorter.' }),
});
export type AccessEnded = Static<typeof AccessEnded>;

/** What happens when a person is disabled. */
export const Leaving = Type.Object({
  shifts_ahead: Type.Number({
    description: 'The number of their shifts that are in progress or in the future.',
  }),
  shifts_changed: Type.Number({
    description: 'The number of published shifts that change hands; as few as possible.',
  }),
  schedules: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      shifts: Type.Number(),
      handed_over: Type.Number(),
      within_three_days: Type.Number(),
      other_hours: Type.Number(),
      sentence: Type.String(),
    }),
    { description: 'The effect on each schedule that they are part of.' },
  ),
  backstop_of: Type.Array(Type.String()),
  stages: Type.Array(Type.String()),
  teams: Type.Array(Type.String()),
  api_keys: Type.Number(),
});
export type Leaving = Static<typeof Leaving>;

export const ColleagueList = Type.Object({
  people: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      email: Type.String(EMAIL),
      role: Role,
      teams: Type.Array(Type.String(), { description: "The slugs of the person's teams." }),
    }),
  ),
});
export type ColleagueList = Static<typeof ColleagueList>;

export const peopleApi = {
  profile: endpoint('GET /api/profile', { summary: 'Show your profile', response: Profile }),
  changeProfile: endpoint('PATCH /api/profile', {
    summary: 'Change your profile',
    body: ProfileBody,
    response: Profile,
  }),
  list: endpoint('GET /api/people', {
    summary: 'List everybody who can be notified',
    response: ColleagueList,
  }),
  overview: endpoint('GET /api/people/overview', {
    summary: 'List people, how to reach them, and where they are on call',
    response: PeopleOverview,
  }),
  find: endpoint('GET /api/people/:id', { summary: 'Show a person', response: PersonDetail }),
  change: endpoint('PATCH /api/people/:id', {
    summary: 'Change a person',
    body: PersonChangeBody,
    response: Type.Object({ ...PersonDetail.properties, ended: Type.Optional(AccessEnded) }),
  }),
  leaving: endpoint('GET /api/people/:id/leaving', {
    summary: 'Show what disabling a person would do',
    response: Leaving,
  }),
  disable: endpoint('POST /api/people/:id/disable', {
    summary: 'Disable a person',
    response: Type.Object({
      disabled: Type.Boolean(),
      shifts_changed: Type.Optional(Leaving.properties.shifts_changed),
      schedules: Type.Optional(Leaving.properties.schedules),
      ended: Type.Optional(AccessEnded),
    }),
  }),
  enable: endpoint('POST /api/people/:id/enable', {
    summary: 'Enable a person',
    response: Type.Object({ disabled: Type.Boolean() }),
  }),
};
