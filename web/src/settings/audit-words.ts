import type { AuditLine } from '../../../src/people/organization-api-contract.ts';

const ACTIONS: Readonly<Record<string, string>> = {
  'organization.create': 'made the organization',
  'organization.changed': 'changed the organization',
  'organization.two_factor': 'changed who must sign in with a second factor',
  'team.create': 'made the team',
  'team.change': 'changed the team',
  'team.member': 'changed the members of the team',
  'team.delete': 'deleted the team',
  'schedule.create': 'made the schedule',
  'schedule.change': 'changed the schedule',
  'schedule.delete': 'deleted the schedule',
  'plan.draft': 'asked for a plan',
  'plan.publish': 'published a plan',
  'plan.discard': 'discarded a plan',
  'override.create': 'put somebody on call by hand',
  'override.delete': 'took back an override',
  'shift.hand_over': 'handed a shift over',
  'cover.take': 'took a shift over',
  'cover.ask': 'asked for a cover',
  'cover.offer': 'offered a shift to somebody',
  'cover.decline': 'declined to cover',
  'cover.withdraw': 'needs no cover any more',
  'pay_table.create': 'made a rate table',
  'pay_table.change': 'changed a rate table',
  'pay_table.delete': 'deleted a rate table',
  'pay_rates.set': 'set rates',
  'pay_rates.delete': 'deleted rates',
  'pay.assign': 'assigned a rate table to somebody',
  'pay.unassign': 'took back a rate table of somebody',
  'pay.view': 'looked at the pay of somebody',
  'pay.export': 'exported a pay period',
  'pay_period.create': 'made a pay period',
  'pay_period.delete': 'deleted a pay period',
  'pay_period.check': 'checked a pay period',
  'pay_period.reopen': 'made a pay period a draft again',
  'pay_period.publish': 'published a pay period',
  'swap.propose': 'proposed a swap',
  'swap.accept': 'agreed to a swap',
  'swap.decline': 'declined a swap',
  'swap.withdraw': 'took a proposed swap back',
  'holidays.create': 'added holidays',
  'holidays.change': 'changed holidays',
  'holidays.delete': 'deleted holidays',
  'webhook.create': 'made the webhook',
  'webhook.change': 'changed the webhook',
  'webhook.rotate': 'gave a new address to the webhook',
  'webhook.revoke': 'revoked the webhook',
  'webhook.retry': 'had calls to the webhook read again',
  'webhook.test': 'sent an example to the webhook',
  'source.create': 'made the page source',
  'source.change': 'changed the page source',
  'source.rotate': 'gave a new URL or key to the page source',
  'source.revoke': 'revoked the page source',
  'source.retry': 'had calls to the page source read again',
  'notification.retry': 'had a received notification read again',
  'key.create': 'made the API key',
  'key.created': 'made the API key',
  'key.revoked': 'revoked an API key',
  'person.change': 'changed a person',
  'person.disable': 'disabled a person',
  'person.enable': 'enabled a person again',
  'profile.change': 'changed their own profile',
  'notification_rules.change': 'changed their notification rules',
  'invitation.create': 'invited',
  'invitation.accept': 'accepted the invitation of',
  'invitation.revoke': 'took back the invitation of',
  'sign_in_link.create': 'made a sign-in link for',
  'owner.link': 'made a sign-in link for the owner',
  'identity.linked': 'signed in by another provider for the first time',
  'password.changed': 'changed their password',
  'password.reset': 'set a new password by email',
  'passkey.created': 'added a passkey',
  'passkey.removed': 'removed a passkey',
  'two_factor.removed': 'turned the second factor off',
  'availabilities.uploaded': 'uploaded absences',
  'example.begin': 'began the example',
  'example.create': 'made the example',
};

const APPLIED: Readonly<Record<string, string>> = { add: 'added', change: 'changed', remove: 'removed' };
const OF_THE_FILE: Readonly<Record<string, string>> = {
  organization: 'the organization',
  user: 'the person',
  team: 'the team',
  schedule: 'the schedule',
  availability: 'an absence of',
};

/** `made the team “Payments”`; null for an action without a text, which is then shown by its code. */
export function auditWords({ action, data }: Pick<AuditLine, 'action' | 'data'>): string | null {
  const what = ACTIONS[action] ?? applied(action);
  if (!what) return null;
  const { name, email } = data;
  if (typeof name === 'string' && name) return `${what} “${name}”`;
  return typeof email === 'string' && email ? `${what} ${email}` : what;
}

/** Actions of the operator's file: `apply.team.add`. */
function applied(action: string): string | null {
  const [apply, kind = '', verb = ''] = action.split('.');
  const [did, what] = [APPLIED[verb], OF_THE_FILE[kind]];
  return apply === 'apply' && did && what ? `${did} ${what}` : null;
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
