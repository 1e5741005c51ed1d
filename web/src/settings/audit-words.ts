import type { RecordedAction } from '../../../src/people/audit-contract.ts';
import type { AuditLine } from '../../../src/people/organization-api-contract.ts';
import { t } from '../language/t.ts';

const ACTIONS: Readonly<Record<RecordedAction, string>> = {
  'organization.create': t('created the organization'),
  'organization.changed': t('changed the organization'),
  'organization.two_factor': t('changed who must sign in with a second factor'),
  'team.create': t('created the team'),
  'team.change': t('changed the team'),
  'team.member': t('changed the members of the team'),
  'team.delete': t('deleted the team'),
  'schedule.create': t('created the schedule'),
  'schedule.change': t('changed the schedule'),
  'schedule.delete': t('deleted the schedule'),
  'plan.draft': t('asked for a plan'),
  'plan.publish': t('published a plan'),
  'plan.discard': t('discarded a plan'),
  'override.create': t('put somebody on call by hand'),
  'override.delete': t('removed an override'),
  'shift.hand_over': t('handed a shift over'),
  'cover.take': t('took a shift over'),
  'cover.ask': t('offered a shift to somebody'),
  'cover.offer': t('asked for a cover'),
  'cover.decline': t('declined to cover'),
  'cover.withdraw': t('no longer needs a cover'),
  'pay_table.create': t('created a rate table'),
  'pay_table.change': t('changed a rate table'),
  'pay_table.delete': t('deleted a rate table'),
  'pay_rates.set': t('set rates'),
  'pay_rates.delete': t('deleted rates'),
  'pay.assign': t('assigned a rate table to somebody'),
  'pay.unassign': t('removed a rate table from somebody'),
  'pay.view': t('looked at the pay of somebody'),
  'pay.export': t('exported a pay period'),
  'pay_period.create': t('created a pay period'),
  'pay_period.delete': t('deleted a pay period'),
  'pay_period.check': t('checked a pay period'),
  'pay_period.reopen': t('reopened a pay period as a draft'),
  'pay_period.publish': t('published a pay period'),
  'swap.propose': t('proposed a swap'),
  'swap.accept': t('agreed to a swap'),
  'swap.decline': t('declined a swap'),
  'swap.withdraw': t('withdrew a proposed swap'),
  'holidays.create': t('added holidays'),
  'holidays.change': t('changed holidays'),
  'holidays.delete': t('deleted holidays'),
  'webhook.create': t('created the webhook'),
  'webhook.change': t('changed the webhook'),
  'webhook.rotate': t('gave a new address to the webhook'),
  'webhook.revoke': t('revoked the webhook'),
  'webhook.retry': t('retried calls to the webhook'),
  'webhook.test': t('sent an example to the webhook'),
  'source.create': t('created the page source'),
  'source.change': t('changed the page source'),
  'source.rotate': t('gave a new URL or key to the page source'),
  'source.revoke': t('revoked the page source'),
  'source.retry': t('retried calls to the page source'),
  'notification.retry': t('retried a received notification'),
  'key.create': t('created the API key'),
  'key.created': t('created the API key'),
  'key.revoked': t('revoked an API key'),
  'person.change': t('changed a person'),
  'person.disable': t('disabled a person'),
  'person.enable': t('enabled a person again'),
  'profile.change': t('changed their own profile'),
  'notification_rules.change': t('changed their notification rules'),
  'invitation.create': t('invited'),
  'invitation.accept': t('accepted the invitation of'),
  'invitation.revoke': t('withdrew the invitation of'),
  'sign_in_link.create': t('created a sign-in link for'),
  'owner.link': t('created a sign-in link for the owner'),
  'identity.linked': t('signed in by another provider for the first time'),
  'password.changed': t('changed their password'),
  'password.reset': t('set a new password by email'),
  'passkey.created': t('added a passkey'),
  'passkey.removed': t('removed a passkey'),
  'two_factor.removed': t('turned off the second factor'),
  'availabilities.uploaded': t('uploaded absences'),
  'availability.create': t('recorded an absence'),
  'availability.change': t('changed an absence'),
  'availability.delete': t('deleted an absence'),
  'availability-source.create': t('followed a calendar of absences'),
  'availability-source.change': t('changed a calendar of absences'),
  'availability-source.delete': t('stopped following a calendar of absences'),
  'calendar.create': t('created a calendar feed'),
  'calendar.rotate': t('gave a new address to a calendar feed'),
  'calendar.revoke': t('removed a calendar feed'),
  'contact_method.add': t('added a contact method'),
  'contact_method.change': t('changed a contact method'),
  'contact_method.order': t('changed the order of their contact methods'),
  'contact_method.remove': t('removed a contact method'),
  'contact_method.renew_secret': t('renewed the signing secret of a contact method'),
  'contact_method.verify': t('verified a contact method'),
  'identity.forgotten': t('removed the link of somebody to their identity provider'),
  'invitation.hand_over': t('copied the link of the invitation of'),
  'provider.set': t('set up a provider'),
  'provider.remove': t('removed a provider'),
  'recovery_codes.replaced': t('created new recovery codes'),
  'secret.rotate': t('changed the secret key of the installation'),
  'secret.forget': t('deleted all secrets that the lost key had encrypted'),
  'two_factor.set_up': t('turned on the second factor'),
  'window.create': t('set the maintenance window'),
  'window.change': t('changed the maintenance window'),
  'window.end': t('ended the maintenance window'),
  'example.begin': t('started the example'),
  'example.create': t('created the example'),
};

/** Actions of the operator's file, `apply.team.add`, on each kind of object. */
const APPLIED: Readonly<Record<string, (kind: string) => string>> = {
  add: (kind) =>
    t(
      '{kind, select, organization {added the organization} user {added the person} team {added the team} schedule {added the schedule} other {added an absence of}}',
      { kind },
    ),
  change: (kind) =>
    t(
      '{kind, select, organization {changed the organization} user {changed the person} team {changed the team} schedule {changed the schedule} other {changed an absence of}}',
      { kind },
    ),
  remove: (kind) =>
    t(
      '{kind, select, organization {removed the organization} user {removed the person} team {removed the team} schedule {removed the schedule} other {removed an absence of}}',
      { kind },
    ),
};
const OF_THE_FILE: readonly string[] = ['organization', 'user', 'team', 'schedule', 'availability'];

/** `made the team “Payments”`; null for an action without a text, which is then shown by its code. */
export function auditWords({ action, data }: Pick<AuditLine, 'action' | 'data'>): string | null {
  const what = isRecorded(action) ? ACTIONS[action] : applied(action);
  if (!what) return null;
  const { name, email } = data;
  if (typeof name === 'string' && name) return t('{what} “{name}”', { what, name });
  return typeof email === 'string' && email ? t('{what} {email}', { what, email }) : what;
}

function isRecorded(action: string): action is RecordedAction {
  return Object.hasOwn(ACTIONS, action);
}

function applied(action: string): string | null {
  const [apply, kind = '', verb = ''] = action.split('.');
  const did = APPLIED[verb];
  return apply === 'apply' && did && OF_THE_FILE.includes(kind) ? did(kind) : null;
}

/** Groups adjacent entries of one action: those with the same person, action and second. */
export function moments(entries: readonly AuditLine[]): [AuditLine, ...AuditLine[]][] {
  const groups: [AuditLine, ...AuditLine[]][] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    if (group && isOneAct(group[0], entry)) group.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function isOneAct(one: AuditLine, other: AuditLine): boolean {
  const second = ({ at }: AuditLine) => Math.floor(Date.parse(at) / 1_000);
  return one.action === other.action && one.by?.id === other.by?.id && second(one) === second(other);
}
