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
  if (webhook) {
    const kind = isSource(webhook.id) ? 'source' : 'webhook';
    return (WEBHOOK_TROUBLE[code] ?? FAILS)({ kind, name: webhook.name, team: webhook.team.name });
  }
  const [kind = '', name = ''] = subject.split(':');
  if (kind === 'contact_method') {
    const channel = shortNameOf(subject.split(':').at(-1) ?? '');
    return person
      ? t('Notifications to {name} by {channel} fail', { name: person.name, channel })
      : t('Notifications to a contact method that was removed by {channel} fail', { channel });
  }
  if (kind === 'channel') return t('Notifications by {channel} fail', { channel: shortNameOf(name) });
  return OTHER_TROUBLE[code] ?? OTHER_TROUBLE[kind] ?? subject;
}

type Said = { kind: 'source' | 'webhook'; name: string; team: string };

const FAILS = (said: Said) =>
  t(
    '{kind, select, source {The page source “{name}” of {team} fails} other {The webhook “{name}” of {team} fails}}',
    said,
  );

const WEBHOOK_TROUBLE: Readonly<Record<string, (said: Said) => string>> = {
  calls: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} gets calls that it cannot read} other {The webhook “{name}” of {team} gets calls that it cannot read}}',
      said,
    ),
  signature: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} gets calls that are not signed as they should be} other {The webhook “{name}” of {team} gets calls that are not signed as they should be}}',
      said,
    ),
  confirmation: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} could not be confirmed} other {The webhook “{name}” of {team} could not be confirmed}}',
      said,
    ),
  certificate: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} cannot check who signs its calls} other {The webhook “{name}” of {team} cannot check who signs its calls}}',
      said,
    ),
  waiting: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} pages at once because too many of its pages wait} other {The webhook “{name}” of {team} pages at once because too many of its pages wait}}',
      said,
    ),
  expired: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} is still called although it has expired} other {The webhook “{name}” of {team} is still called although it has expired}}',
      said,
    ),
  former_url: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} is still called at a former URL} other {The webhook “{name}” of {team} is still called at a former URL}}',
      said,
    ),
  revoked: (said) =>
    t(
      '{kind, select, source {The page source “{name}” of {team} is still called although it was revoked} other {The webhook “{name}” of {team} is still called although it was revoked}}',
      said,
    ),
};

const OTHER_TROUBLE: Readonly<Record<string, string>> = {
  heartbeat: t('The heartbeat cannot be sent'),
  calendar: t('Calendar cannot be read'),
  second_identity: t('The identity provider sent a second person for one address'),
  service: t('The service itself has a problem'),
};
