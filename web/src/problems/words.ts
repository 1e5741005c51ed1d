import type { ProblemShown } from '../../../src/problems/api-contract.ts';
import { CHANNEL_NAMES } from '../pages/words.ts';

/** `Notifications by email fail`, `The webhook Grafana of Site Reliability fails`. */
export function problemWords({
  subject,
  code,
  webhook,
}: Pick<ProblemShown, 'subject' | 'code' | 'webhook'>): string {
  if (webhook)
    return `The webhook “${webhook.name}” of ${webhook.team.name} ${WEBHOOK_TROUBLE[code] ?? 'fails'}`;
  const [kind, name = ''] = subject.split(':');
  if (kind !== 'channel') return subject;
  return `Notifications by ${CHANNEL_NAMES[name as keyof typeof CHANNEL_NAMES] ?? name} fail`;
}

const WEBHOOK_TROUBLE: Readonly<Record<string, string>> = {
  calls: 'gets calls that it cannot read',
  signature: 'gets calls that are not signed as they should be',
  confirmation: 'could not be confirmed',
  certificate: 'cannot check who signs its calls',
};
