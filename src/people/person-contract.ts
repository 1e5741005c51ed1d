import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import type { MethodShown, ReachShown } from './contact-contract.ts';
import type { ChannelName, Role } from './contract.ts';

/** What the dashboard reads and sends about people. Times are ISO 8601 in UTC. */

const Name = Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE });
const Username = Type.String({ minLength: 1, maxLength: 100 });
const TimeZone = Type.String({ maxLength: 100, format: 'time-zone' });
/** `22:00`, in the person's own zone. */
const Clock = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  description: 'a time of day such as 22:00',
});

/** What is left out stays as it is. */
export const ProfileBody = Type.Object({
  name: Type.Optional(Name),
  username: Type.Optional(Username),
  time_zone: Type.Optional(TimeZone),
  sleep: Type.Optional(Type.Object({ from: Clock, until: Clock })),
});
export type ProfileBody = Static<typeof ProfileBody>;

export type Profile = {
  id: string;
  name: string;
  username: string;
  email: string;
  role: Role;
  time_zone: string;
  /** When being woken counts as such; never what pages follow. */
  sleep: { from: string; until: string };
};

/** What an admin changes of somebody else. What is left out stays as it is. */
export const PersonChangeBody = Type.Object({
  name: Type.Optional(Name),
  username: Type.Optional(Username),
  time_zone: Type.Optional(TimeZone),
  role: Type.Optional(Type.String({ maxLength: 100 })),
});
export type PersonChangeBody = Static<typeof PersonChangeBody>;

export type PersonSummary = ReachShown & {
  id: string;
  name: string;
  email: string;
  username: string;
  role: Role;
  disabled: boolean;
  teams: { id: string; name: string; slug: string; role: 'manager' | 'member' }[];
  on_call: { schedule: { id: string; name: string }; stage: number; until: string }[];
  /** Without the sentences that `not_set_up` says once for everybody. */
  why_not_in_short: string | null;
  /** When they last proved a contact method, or a provider last took over a page for them. */
  proved_at: string | null;
  reached_at: string | null;
};

export type PeopleOverview = {
  people: PersonSummary[];
  /** Channels that nobody is reached by. */
  not_set_up: ChannelName[];
};

export type PersonDetail = PersonSummary & {
  time_zone: string;
  contact_methods: MethodShown[];
  /** The next ones, the soonest first; those that have begun included. */
  shifts: {
    id: string;
    schedule: { id: string; name: string };
    stage: number;
    starts_at: string;
    ends_at: string;
  }[];
  created_at: string;
  may: {
    change: boolean;
    /** Roles that the viewer may give them. */
    roles: Role[];
    disable: boolean;
    /** Why the viewer may not disable them, or take their role away; null when nothing is in the way. */
    why_not: string | null;
  };
};

/** What follows when somebody is disabled. */
export type Leaving = {
  /** Theirs that are under way or to come. */
  shifts_ahead: number;
  /** Published shifts of anybody that change hands, as few as can be. */
  shifts_changed: number;
  /** The same for each schedule that they are part of. */
  schedules: {
    id: string;
    name: string;
    shifts: number;
    handed_over: number;
    within_three_days: number;
    other_hours: number;
    sentence: string;
  }[];
  backstop_of: string[];
  stages: string[];
  teams: string[];
  api_keys: number;
};
