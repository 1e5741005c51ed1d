import { type Static, Type } from 'typebox';
import { NewRecordBody } from '../../availability/api-contract.ts';
import { NewHolidayCalendarBody } from '../../calendars/api-contract.ts';
import { CHANNEL, CHANNELS, type ChannelName } from '../../notifications/channels/contract.ts';
import { MOST_ASSIGNMENTS, MOST_TABLES, MOST_VERSIONS, NewPayTableBody } from '../../pay/api-contract.ts';
import { Rates } from '../../pay/contract.ts';
import { EventsOfMethod } from '../../people/contact-contract.ts';
import { ROLES } from '../../people/contract.ts';
import { EMAIL_HINT } from '../../people/email.ts';
import { OrganizationBody } from '../../people/organization-api-contract.ts';
import { PersonChangeBody } from '../../people/person-contract.ts';
import { MOST_RULES, RulesBody } from '../../people/rules-contract.ts';
import { SLUG_HINT } from '../../people/slug-contract.ts';
import { NewTeamBody } from '../../people/team-api-contract.ts';
import { USERNAME_HINT } from '../../people/usernames.ts';
import { personBody, ScheduleBody, shadowBody, sharePercent } from '../../schedules/settings-contract.ts';
import { NewWindowBody } from '../../sources/windows-api-contract.ts';

/**
 * The schema of the file for `apply`. Its fields are those of the rooms' own schemas, but people are identified by
 * email address and teams by slug. A field that is left out does not change existing data. `title` names the part in
 * errors.
 */

const Email = Type.String({ format: 'email-address', description: EMAIL_HINT, 'x-one-line': true });
const Slug = Type.String({ format: 'slug', description: SLUG_HINT });
const members = Type.Array(Email, { maxItems: 500, description: 'a list of email addresses' });
const instant = Type.String({ format: 'instant' });

/** Other names of the channels. */
export const CHANNEL_ALIASES: ReadonlyMap<string, ChannelName> = new Map(
  CHANNELS.flatMap((channel) => (CHANNEL[channel].aliases ?? []).map((alias) => [alias, channel] as const)),
);
const channelNames = [...CHANNELS, ...CHANNEL_ALIASES.keys()];
const rule = RulesBody.properties.rules.items.properties;
const rules = Type.Optional(
  Type.Array(
    Type.Object(
      {
        after_minutes: rule.after_minutes,
        types: Type.Array(Type.Enum(channelNames, { type: 'string' }), {
          minItems: 1,
          maxItems: 20,
          description: `a list of ${channelNames.join(', ')}`,
        }),
      },
      { title: 'a notification rule' },
    ),
    { maxItems: MOST_RULES },
  ),
);

const ContactMethod = Type.Object(
  {
    type: Type.String({ maxLength: 100 }),
    /** A phone number may be written without quotes. */
    value: Type.String({ maxLength: 5_000, 'x-as-written': true }),
    chat_user_id: Type.Optional(Type.String({ maxLength: 1_000 })),
    /** `whsec_…`; left out: keep the current one, or generate one. */
    signing_secret: Type.Optional(Type.String({ maxLength: 1_000 })),
    /** Left out: they do not change. */
    events: Type.Optional(EventsOfMethod),
  },
  { title: 'a contact method' },
);
export type ContactMethodEntry = Static<typeof ContactMethod>;

const date = Type.String({ format: 'day', description: 'a date such as 2026-12-24' });
const Pay = Type.Object(
  {
    /** Null: not paid for being on call. */
    table: Type.Union([NewPayTableBody.properties.name, Type.Null()], {
      description: 'the name of a rate table, or null',
    }),
    /** Left out: from the beginning. */
    from: Type.Optional(date),
  },
  { title: 'the pay of a user' },
);
export type PayEntry = Static<typeof Pay>;

const User = Type.Object(
  {
    ...PersonChangeBody.properties,
    email: Email,
    username: Type.Optional(Type.String({ maxLength: 100, format: 'username', description: USERNAME_HINT })),
    role: Type.Optional(Type.Enum(ROLES, { type: 'string' })),
    contact_methods: Type.Optional(Type.Array(ContactMethod, { maxItems: 200 })),
    /** Urgencies that are left out use the default rules. */
    notification_rules: Type.Optional(
      Type.Object({ low: rules, medium: rules, high: rules }, { title: 'notification rules' }),
    ),
    /** Left out, it stays as it is; a list replaces all of it. */
    pay: Type.Optional(Type.Array(Pay, { maxItems: MOST_ASSIGNMENTS })),
  },
  { title: 'a user' },
);
export type UserEntry = Static<typeof User>;

const Team = Type.Object(
  { name: Type.Optional(NewTeamBody.properties.name), slug: Slug, members: Type.Optional(members) },
  { title: 'a team' },
);
export type TeamEntry = Static<typeof Team>;

const stage = ScheduleBody.properties.stages.items.properties;
const layer = stage.layers.items.properties;
/** Parsed by `parsePattern`, which reports errors in the fields below. */
const shifts = Type.Optional(Type.Unknown({ 'x-pattern': true }));
const Layer = Type.Object({ ...layer, members, shifts }, { title: 'a layer' });
const Stage = Type.Object(
  {
    ...stage,
    /** Required unless there are layers, which have their own members, or a link to a stage that has members. */
    members: Type.Optional(members),
    layers: Type.Optional(
      Type.Array(Layer, {
        minItems: 1,
        maxItems: 20,
        description: 'at least one layer, or leave it out',
      }),
    ),
    /** A stage with shifts or a zone of its own is a stage with a single layer. */
    shifts,
    time_zone: layer.time_zone,
  },
  { title: 'a stage' },
);
export type StageEntry = Static<typeof Stage>;

const holidayCalendar = NewHolidayCalendarBody.properties;
const Holidays = Type.Object(
  {
    use: ScheduleBody.properties.holidays,
    /** The code of a country and of its region, the URL of a holiday list, or else the days themselves. */
    country: holidayCalendar.country,
    // Some codes are numbers.
    region: Type.Optional(Type.String({ maxLength: 100, 'x-as-written': true })),
    url: holidayCalendar.url,
    days: Type.Optional(
      Type.Array(
        Type.Union([
          date,
          Type.Object(
            { date, name: Type.Optional(holidayCalendar.days.items.properties.name) },
            { title: 'a holiday' },
          ),
        ]),
      ),
    ),
  },
  { title: 'holidays' },
);
export type HolidaysEntry = Static<typeof Holidays>;

const Override = Type.Object(
  { stage: stage.stage, user: Email, start: instant, end: instant },
  { title: 'an override' },
);

const Schedule = Type.Object(
  {
    ...ScheduleBody.properties,
    ...Type.Required(Type.Pick(ScheduleBody, ['name'])).properties,
    team: Type.Optional(Slug),
    shifts,
    backstop: Type.Optional(Type.Union([Email, Type.Null()])),
    holidays: Type.Optional(Holidays),
    shares: Type.Optional(
      Type.Array(Type.Object({ user: Email, percent: sharePercent }, { title: 'a share' }), {
        maxItems: 500,
      }),
    ),
    shadows: Type.Optional(
      Type.Array(
        Type.Object(
          { user: Email, of: Type.Optional(Type.Union([Email, Type.Null()])), ...shadowBody },
          { title: 'a shadow' },
        ),
        { maxItems: 100 },
      ),
    ),
    never_together: Type.Optional(
      Type.Array(Type.Array(Email, { minItems: 2, maxItems: 500 }), { maxItems: 50 }),
    ),
    only_with: Type.Optional(
      Type.Array(
        Type.Object(
          {
            people: Type.Optional(
              Type.Union([Type.Array(Email, { minItems: 1, maxItems: 500 }), Type.Null()]),
            ),
            with: Type.Array(Email, { minItems: 1, maxItems: 500 }),
          },
          { title: 'who is on call only together with others' },
        ),
        { maxItems: 50 },
      ),
    ),
    people: Type.Optional(
      Type.Array(Type.Object({ user: Email, ...personBody }, { title: 'what is different for a person' }), {
        maxItems: 500,
      }),
    ),
    stages: Type.Optional(
      Type.Array(Stage, { minItems: 1, maxItems: 50, description: 'a list of at least one stage' }),
    ),
    overrides: Type.Optional(Type.Array(Override)),
  },
  { title: 'a schedule' },
);
export type ScheduleEntry = Static<typeof Schedule>;

const record = NewRecordBody.properties;
const Availability = Type.Object(
  { user: Email, type: record.type, name: record.name, start: record.starts_at, end: record.ends_at },
  { title: 'an availability' },
);

const Window = Type.Object(
  {
    ...Type.Pick(NewWindowBody, ['match', 'effect', 'rrule', 'zone', 'repeats_until']).properties,
    name: Type.String({ minLength: 1, maxLength: 200, format: 'text' }),
    team: Slug,
    /** The name of a page source of the team. */
    source: Type.Optional(Type.String({ minLength: 1, maxLength: 200, format: 'text' })),
    owner: Type.Optional(Email),
    start: instant,
    end: instant,
  },
  { title: 'a maintenance window' },
);
export type WindowEntry = Static<typeof Window>;

const Source = Type.Object(
  {
    team: Slug,
    name: Type.String({ minLength: 1, maxLength: 200, format: 'text', 'x-one-line': true }),
    type: Type.String({ maxLength: 100, description: 'a type of a source such as alertmanager' }),
    /** A key of the old system; left out: one is made and printed once. */
    key: Type.Optional(Type.String({ maxLength: 1_000, 'x-as-written': true })),
    expires_at: Type.Optional(Type.Union([instant, Type.Null()])),
    signing_secret: Type.Optional(Type.String({ maxLength: 1_000 })),
    interval_minutes: Type.Optional(Type.Number({ description: 'how often a heartbeat calls, in minutes' })),
    /** Checked by `settingsProblems`. */
    settings: Type.Optional(Type.Unknown()),
  },
  { title: 'a source' },
);
export type SourceEntry = Static<typeof Source>;

const payTable = NewPayTableBody.properties;
const PayTable = Type.Object(
  {
    ...Type.Pick(NewPayTableBody, ['name', 'time_zone', 'country', 'default']).properties,
    currency: Type.Optional(payTable.currency),
    region: Type.Optional(Type.Union([Type.String({ maxLength: 20, 'x-as-written': true }), Type.Null()])),
    /** Left out, they stay as they are; a list replaces all of them. */
    versions: Type.Optional(
      Type.Array(
        Type.Object(
          {
            from: date,
            until: Type.Optional(Type.Union([date, Type.Null()])),
            rates: Type.Object(Rates.properties, { title: 'rates' }),
          },
          { title: 'rates from a day on' },
        ),
        { maxItems: MOST_VERSIONS },
      ),
    ),
  },
  { title: 'a rate table' },
);
export type PayTableEntry = Static<typeof PayTable>;

export const OperatorFile = Type.Object(
  {
    organization: Type.Optional(Type.Object(OrganizationBody.properties, { title: 'the organization' })),
    users: Type.Optional(Type.Array(User)),
    teams: Type.Optional(Type.Array(Team)),
    schedules: Type.Optional(Type.Array(Schedule)),
    sources: Type.Optional(Type.Array(Source, { maxItems: 1_000 })),
    availabilities: Type.Optional(Type.Array(Availability)),
    windows: Type.Optional(Type.Array(Window)),
    pay_tables: Type.Optional(Type.Array(PayTable, { maxItems: MOST_TABLES })),
  },
  { title: 'this file' },
);
export type OperatorFile = Static<typeof OperatorFile>;
