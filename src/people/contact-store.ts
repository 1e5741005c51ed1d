import type { Handle } from '../db/database.ts';
import { methodOf } from '../notifications/channels/contract.ts';
import type { ChannelName, MethodType, Rule, Urgency } from './contract.ts';

export type ContactMethod = {
  id: string;
  userId: string;
  type: MethodType;
  value: string;
  chatUserId: string | null;
  /** Sealed Standard Webhooks secret, for `webhook` only. */
  signingSecret: Buffer | null;
  verifiedAt: Temporal.Instant | null;
  position: number;
  /** The topics of the events that a webhook gets besides pages. */
  events: readonly string[];
};

/** All contact methods of the organization, by person and in the person's order. */
export async function listContactMethods(db: Handle, organizationId: string): Promise<ContactMethod[]> {
  return db
    .selectFrom('contact_methods')
    .select([
      'id',
      'user_id as userId',
      'type',
      'value',
      'chat_user_id as chatUserId',
      'signing_secret as signingSecret',
      'verified_at as verifiedAt',
      'position',
      'events',
    ])
    .where('organization_id', '=', organizationId)
    .orderBy('user_id')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

export async function insertContactMethods(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  methods: readonly ContactMethod[],
): Promise<void> {
  if (methods.length === 0) return;
  await db
    .insertInto('contact_methods')
    .values(
      methods.map((method) => ({
        id: method.id,
        organization_id: organizationId,
        user_id: method.userId,
        position: method.position,
        type: method.type,
        value: method.value,
        chat_user_id: method.chatUserId,
        signing_secret: method.signingSecret,
        verified_at: method.verifiedAt,
        events: [...method.events],
        notices: methodOf(method.type).notices !== 'if wanted',
        created_at: at,
        updated_at: at,
      })),
    )
    .execute();
}

export async function updateContactMethod(
  db: Handle,
  at: Temporal.Instant,
  organizationId: string,
  method: ContactMethod,
): Promise<void> {
  await db
    .updateTable('contact_methods')
    .set({
      position: method.position,
      chat_user_id: method.chatUserId,
      signing_secret: method.signingSecret,
      verified_at: method.verifiedAt,
      events: [...method.events],
      updated_at: at,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', method.id)
    .execute();
}

export async function deleteContactMethods(
  db: Handle,
  organizationId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .deleteFrom('contact_methods')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
}

/** The rules that people wrote themselves. Everybody else has the defaults. */
export async function listRules(db: Handle, organizationId: string): Promise<PersonsRule[]> {
  return (await selectRules(db, organizationId).execute()).map(readRule);
}

/** The same for one person. */
export async function listRulesOf(
  db: Handle,
  organizationId: string,
  userId: string,
): Promise<PersonsRule[]> {
  return (await selectRules(db, organizationId).where('user_id', '=', userId).execute()).map(readRule);
}

export type PersonsRule = Rule & { userId: string };

function selectRules(db: Handle, organizationId: string) {
  return db
    .selectFrom('notification_rules')
    .select(['user_id', 'urgency', 'position', 'after_seconds', 'channels'])
    .where('organization_id', '=', organizationId)
    .orderBy('user_id')
    .orderBy('urgency')
    .orderBy('position');
}

function readRule(row: {
  user_id: string;
  urgency: Urgency;
  position: number;
  after_seconds: number;
  channels: ChannelName[];
}): PersonsRule {
  return {
    userId: row.user_id,
    urgency: row.urgency,
    position: row.position,
    afterMs: row.after_seconds * 1_000,
    channels: row.channels,
  };
}

/** Replaces all rules of a person. */
export async function replaceRules(
  db: Handle,
  organizationId: string,
  userId: string,
  rules: readonly Rule[],
): Promise<void> {
  await rulesToDelete(db, organizationId, userId).execute();
  await insertRules(db, organizationId, userId, rules);
}

/** Replaces a person's rules for one urgency; without any, the defaults apply. */
export async function replaceRulesFor(
  db: Handle,
  organizationId: string,
  userId: string,
  urgency: Urgency,
  rules: readonly Rule[],
): Promise<void> {
  await rulesToDelete(db, organizationId, userId).where('urgency', '=', urgency).execute();
  await insertRules(db, organizationId, userId, rules);
}

function rulesToDelete(db: Handle, organizationId: string, userId: string) {
  return db
    .deleteFrom('notification_rules')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId);
}

async function insertRules(
  db: Handle,
  organizationId: string,
  userId: string,
  rules: readonly Rule[],
): Promise<void> {
  if (rules.length === 0) return;
  await db
    .insertInto('notification_rules')
    .values(
      rules.map((rule) => ({
        user_id: userId,
        organization_id: organizationId,
        urgency: rule.urgency,
        position: rule.position,
        after_seconds: Math.round(rule.afterMs / 1_000),
        channels: rule.channels,
      })),
    )
    .execute();
}
