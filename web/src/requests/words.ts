import type { RequestKind, RequestStatus } from '../../../src/requests/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { t } from '../language/t.ts';

export const STATUS_TONES: Record<RequestStatus, Tone> = {
  queued: 'info',
  processing: 'info',
  retrying: 'watch',
  succeeded: 'calm',
  failed: 'alarm',
};

export const KIND_WORDS: Record<RequestKind, string> = {
  'page.team': t('Page to a team'),
  'page.person': t('Page to a person'),
  moment: t('Moment by API'),
  webhook: t('Webhook call'),
  source: t('Call of a page source'),
};
