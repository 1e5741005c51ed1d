import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { type Detail, Fault } from '../../kit/fault.ts';
import { knownFields } from '../../kit/known-fields.ts';
import { t } from '../../language/contract.ts';
import type { Viewer } from '../../sessions/contract.ts';
import { endInvitationsTo, endLinksFor } from '../access-store.ts';
import { ROLES, type Role } from '../contract.ts';
import { type AccessEnded, PersonChangeBody, ProfileBody } from '../person-contract.ts';
import { isDemotion, mayActOn, mayGive } from '../rights.ts';
import { lockPerson, type PersonChange, recordAudit, updatePerson, usernameIsTaken } from '../store.ts';
import { isUsername } from '../usernames.ts';
import { minuteOfDay } from './sleep.ts';

type Services = { db: Database; clock: Clock };

/** Ends everything that a person who lost their role held and created for others; returns what ended. */
export type EndAuthority = (
  tx: Tx,
  at: Temporal.Instant,
  owner: { organizationId: string; userId: string },
  why: { name: string; to: Role },
) => Promise<AccessEnded>;

/** Refuses changes that would leave no owner. */
export function lastOwner(): string {
  return t('is the only owner; make somebody else an owner first');
}

/** Changes the viewer's own profile and records it in the audit log. */
export async function changeProfile(
  { db, clock }: Services,
  viewer: Viewer,
  body: ProfileBody,
): Promise<void> {
  const { sleep, clock: clockOfDay, language } = body;
  if (sleep && sleep.from === sleep.until)
    throw new Fault('invalid_request', [
      {
        field: 'sleep.until',
        message: t('is the same as from; give the time at which you usually wake up'),
      },
    ]);
  const change: PersonChange = {
    ...readNames(body),
    ...(sleep ? { sleep: { from: minuteOfDay(sleep.from), until: minuteOfDay(sleep.until) } } : {}),
    ...(clockOfDay ? { clock: clockOfDay } : {}),
    language,
  };
  await db
    .transaction()
    .execute((tx) => save(tx, clock, viewer, viewer.userId, change, knownFields(ProfileBody, body)));
}

/** An admin changes a person. Returns what ended with a lost role; null if no role was lost. */
export async function changePerson(
  { db, clock, endAuthority }: Services & { endAuthority: EndAuthority },
  viewer: Viewer,
  id: string,
  body: PersonChangeBody,
): Promise<AccessEnded | null> {
  const role = readRole(body.role);
  const { organizationId } = viewer;
  return db.transaction().execute(async (tx) => {
    const person = await lockPerson(tx, organizationId, id);
    if (!person) throw new Fault('not_found');
    if (!mayActOn(viewer.role, person.role)) throw notYours();
    if (role !== undefined && role !== person.role) {
      if (!mayGive(viewer, role)) throw forbidden('role', t('You may not give this role; ask an owner.'));
      if (person.role === 'owner' && person.otherOwners === 0)
        throw new Fault('conflict', [{ field: 'role', message: lastOwner() }]);
    }
    const lost = role !== undefined && isDemotion(person.role, role);
    const owner = { organizationId, userId: id };
    const why = { name: person.name, to: role ?? person.role };
    const ended = lost ? await endAuthority(tx, await clock.now(tx), owner, why) : null;
    const data = { ...knownFields(PersonChangeBody, body), ...(ended ? { ended } : {}) };
    await save(tx, clock, viewer, id, { ...readNames(body), role }, data);
    if (role !== undefined && role !== person.role) {
      const at = await clock.now(tx);
      await endInvitationsTo(tx, at, organizationId, person.email);
      await endLinksFor(tx, at, owner);
    }
    return ended;
  });
}

async function save(
  tx: Tx,
  clock: Clock,
  { organizationId, userId }: Viewer,
  id: string,
  change: PersonChange,
  data: Record<string, unknown>,
): Promise<void> {
  const problems = await usernameProblems(tx, organizationId, id, change.username);
  if (problems.length > 0) throw new Fault('invalid_request', problems);
  const at = await clock.now(tx);
  await updatePerson(tx, at, organizationId, id, change);
  const action = id === userId ? 'profile.change' : 'person.change';
  await recordAudit(tx, at, organizationId, userId, [{ action, subject: id, data }]);
}

function readNames({ name, username, time_zone: timeZone }: ProfileBody | PersonChangeBody): PersonChange {
  return { name: name?.trim(), username: username?.trim(), timeZone };
}

async function usernameProblems(
  tx: Tx,
  organizationId: string,
  id: string,
  username: string | undefined,
): Promise<Detail[]> {
  const field = 'username';
  if (username === undefined) return [];
  if (!isUsername(username))
    return [{ field, message: t('is not a handle; give a handle without spaces or @, such as ada.l') }];
  if (await usernameIsTaken(tx, organizationId, username, id))
    return [{ field, message: t('is used by another person; give another one') }];
  return [];
}

function readRole(text: string | undefined): Role | undefined {
  if (text === undefined) return undefined;
  const role = ROLES.find((one) => one === text);
  if (role) return role;
  const message = t('is {text}; give one of {roles}', {
    text: JSON.stringify(text),
    roles: ROLES.join(', '),
  });
  throw new Fault('invalid_request', [{ field: 'role', message }]);
}

export function notYours(): Fault {
  return forbidden('id', t('You may not change this person; ask an owner or admin.'));
}

function forbidden(field: string, message: string): Fault {
  return new Fault('forbidden', [{ field, message }]);
}
