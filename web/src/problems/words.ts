import { shortNameOf } from '../../../src/notifications/channels/contract.ts';
import type { ProblemShown } from '../../../src/problems/api-contract.ts';
import { t } from '../language/t.ts';
import { isSource } from '../webhooks/integration-names.ts';

/**
 * `Notifications by email fail`, `Notifications to Ada by webhook fail`, `The webhook “Grafana” of Site Reliability
 * fails`.
 */
export function problemWords({
  subject,
  code,
  webhook,
  person,
}: Pick<ProblemShown, 'subject' | 'code' | 'webhook' | 'person'>): string {
  if (webhook)
    return `The ${isSource(webhook.id) ? 'page source' : 'webhook'} “${webhook.name}” of ${webhook.team.name} ${WEBHOOK_TROUBLE[code] ?? 'fails'}`;
  const [kind = '', name = ''] = subject.split(':');
  if (kind === 'contact_method') {
    const to = person?.name ?? 'a contact method that was removed';
    return `Notifications to ${to} by ${shortNameOf(subject.split(':').at(-1) ?? '')} fail`;
  }
  if (kind === 'channel') return `Notifications by ${shortNameOf(name)} fail`;
  return OTHER_TROUBLE[code] ?? OTHER_TROUBLE[kind] ?? subject;
}

const WEBHOOK_TROUBLE: Readonly<Record<string, string>> = {
  calls: 'gets calls that it cannot read',
  signature: 'gets calls that are not signed as they should be',
  confirmation: 'could not be confirmed',
  certificate: 'cannot check who signs its calls',
  waiting: 'pages at once because too many of its pages wait',
  expired: 'is still called although it has expired',
  former_url: 'is still called at a former URL',
  revoked: 'is still called although it was revoked',
};

const OTHER_TROUBLE: Readonly<Record<string, string>> = {
  heartbeat: t('The heartbeat cannot be sent'),
  calendar: t('A calendar cannot be read'),
  second_identity: t('The identity provider sent a second person for one address'),
  service: t('The service itself has a problem'),
};
