import type { Clock } from '../src/db/clock.ts';
import type { Database } from '../src/db/database.ts';
import { newKey } from '../src/keys/key.ts';
import { insertKey } from '../src/keys/store.ts';
import type { Sealing } from '../src/kit/sealing.ts';
import { newId } from '../src/kit/typeid.ts';
import type { ChannelName, WrittenType } from '../src/notifications/channels/contract.ts';
import type { Urgency } from '../src/pages/urgency-contract.ts';
import { webhookSecret } from './fakes/webhook-receiver.ts';

export type MethodSpec = {
  type: WrittenType;
  value: string;
  chatUserId?: string;
  verified?: boolean;
  /** Whether it receives notices as well as pages. By default webhooks do not, as in the operator's file. */
  notices?: boolean;
};
export type RuleSpec = { after: number; channels: ChannelName[] };

export type PersonSpec = {
  methods?: MethodSpec[];
  rules?: Partial<Record<Urgency, RuleSpec[]>>;
};

export type ScheduleSpec = {
  /** Who is on call from an hour ago for thirty days: one list for each stage, from stage 1 on. */
  stages: string[][];
  backstop?: string;
  /** Minutes of each stage. */
  delay?: number;
  enabled?: boolean;
};

export type OrganizationSpec = {
  people: Record<string, PersonSpec>;
  teams?: Record<string, { members: string[]; schedules?: ScheduleSpec[] }>;
};

export type Organization = {
  id: string;
  users: Record<string, string>;
  teams: Record<string, string>;
  /** API key of the first person. */
  key: string;
  /** Standard Webhooks secret of all webhook contact methods. */
  webhookSecret: string;
};

export type Seeding = { db: Database; clock: Clock; sealing: Sealing };

/** Inserts an organization into the tables directly: stories about pages should not depend on how it was created. */
export async function seedOrganization(
  seeding: Seeding,
  spec: OrganizationSpec,
  name = 'Acme',
): Promise<Organization> {
  const { db, clock } = seeding;
  const at = await clock.now(db);
  const id = newId('organization');
  await db
    .insertInto('organizations')
    .values({ id, name, time_zone: 'UTC', created_at: at, updated_at: at })
    .execute();
  const secret = webhookSecret();
  const users: Record<string, string> = {};
  for (const [person, personSpec] of Object.entries(spec.people))
    users[person] = await seedPerson(seeding, id, person, personSpec, secret, at);
  const teams: Record<string, string> = {};
  for (const [slug, team] of Object.entries(spec.teams ?? {})) {
    teams[slug] = newId('team');
    const row = { organization_id: id, created_at: at };
    await db
      .insertInto('teams')
      .values({ ...row, id: teams[slug], name: slug.toUpperCase(), slug, updated_at: at })
      .execute();
    for (const member of team.members)
      await db
        .insertInto('team_members')
        .values({ ...row, team_id: teams[slug], user_id: known(users, member) })
        .execute();
    for (const [index, schedule] of (team.schedules ?? []).entries())
      await seedSchedule(seeding, id, teams[slug], `${slug} ${index}`, schedule, users, wholeMillisecond(at));
  }
  return {
    id,
    users,
    teams,
    webhookSecret: secret,
    key: await seedKey(seeding, id, Object.values(users)[0] ?? ''),
  };
}

/** Shifts begin and end at whole milliseconds, which the planner relies on. */
function wholeMillisecond(at: Temporal.Instant): Temporal.Instant {
  return at.round({ smallestUnit: 'millisecond', roundingMode: 'floor' });
}

async function seedKey({ db, clock }: Seeding, organizationId: string, userId: string): Promise<string> {
  const made = newKey();
  await insertKey(db, clock, {
    id: newId('api_key'),
    organizationId,
    userId,
    name: 'story',
    hash: made.hash,
    hint: made.hint,
    scopes: null,
    // Stories use it for the dashboard's API as well.
    full: true,
    expiresAt: null,
  });
  return made.key;
}

async function seedPerson(
  { db, sealing }: Seeding,
  organizationId: string,
  person: string,
  spec: PersonSpec,
  secret: string,
  at: Temporal.Instant,
): Promise<string> {
  const id = newId('organization_user');
  const name = person[0]?.toUpperCase() + person.slice(1);
  const times = { created_at: at, updated_at: at };
  await db
    .insertInto('users')
    .values({
      id,
      organization_id: organizationId,
      email: `${person}@example.com`,
      name,
      username: person,
      role: 'member',
      time_zone: 'UTC',
      ...times,
    })
    .execute();
  for (const [position, method] of (spec.methods ?? []).entries()) {
    await db
      .insertInto('contact_methods')
      .values({
        id: newId('contact_method'),
        organization_id: organizationId,
        user_id: id,
        position,
        type: method.type,
        value: method.value,
        chat_user_id: method.chatUserId ?? null,
        signing_secret: method.type === 'webhook' ? sealing.seal(secret) : null,
        verified_at: method.verified === false ? null : at,
        notices: method.notices ?? method.type !== 'webhook',
        ...times,
      })
      .execute();
  }
  for (const [urgency, rules] of Object.entries(spec.rules ?? {})) {
    for (const [position, rule] of rules.entries()) {
      await db
        .insertInto('notification_rules')
        .values({
          user_id: id,
          organization_id: organizationId,
          urgency: urgency as 'low' | 'medium' | 'high',
          position,
          after_seconds: Math.round(rule.after * 60),
          channels: rule.channels,
        })
        .execute();
    }
  }
  return id;
}

async function seedSchedule(
  { db }: Seeding,
  organizationId: string,
  teamId: string,
  name: string,
  spec: ScheduleSpec,
  users: Record<string, string>,
  at: Temporal.Instant,
): Promise<void> {
  const id = newId('schedule');
  const row = { organization_id: organizationId, schedule_id: id };
  const times = { created_at: at, updated_at: at };
  await db
    .insertInto('schedules')
    .values({
      id,
      organization_id: organizationId,
      team_id: teamId,
      name,
      enabled: spec.enabled ?? true,
      time_zone: 'UTC',
      backstop_user_id: spec.backstop ? known(users, spec.backstop) : null,
      strategy: 'rotation',
      pattern: JSON.stringify({ every: 'week', handoff: 'Monday 09:00' }),
      // Short enough that nothing is planned beyond these shifts.
      plan_ahead_weeks: 1,
      planned_until: at.add({ hours: 24 * 30 }),
      ...times,
    })
    .execute();
  for (const [index, people] of spec.stages.entries()) {
    const stage = index + 1;
    await db
      .insertInto('schedule_stages')
      .values({
        ...row,
        stage,
        escalate_after_seconds: (spec.delay ?? 5) * 60,
        seats: Math.max(1, people.length),
      })
      .execute();
    for (const [seat, person] of people.entries()) {
      const user_id = known(users, person);
      await db
        .insertInto('stage_members')
        .values({ ...row, stage, user_id, position: seat })
        .execute();
      await db
        .insertInto('shifts')
        .values({
          ...row,
          id: newId('shift'),
          stage,
          seat: seat + 1,
          user_id,
          planned_user_id: user_id,
          starts_at: at.subtract({ hours: 1 }),
          ends_at: at.add({ hours: 24 * 30 }),
          ...times,
        })
        .execute();
    }
  }
}

/** The same absence twice counts once. */
export async function seedAway(
  { db }: Seeding,
  organization: Organization,
  person: string,
  from: Temporal.Instant,
  hours: number,
): Promise<void> {
  await db
    .insertInto('availabilities')
    .values({
      id: newId('availability'),
      organization_id: organization.id,
      user_id: known(organization.users, person),
      type: 'hard_unavailable',
      name: 'Away',
      starts_at: from,
      ends_at: from.add({ hours }),
      created_at: from,
      updated_at: from,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function known(names: Record<string, string>, name: string): string {
  const id = names[name];
  if (!id) throw new Error(`the story speaks of ${name}, who is not in its organization`);
  return id;
}
