import type { RequestKind, RequestStatus } from '../../../src/requests/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { t, tIn } from '../language/t.ts';

export const STATUS_TONES: Record<RequestStatus, Tone> = {
  queued: 'info',
  processing: 'info',
  retrying: 'watch',
  succeeded: 'calm',
  failed: 'alarm',
};

export const KIND_WORDS: Record<RequestKind, string> = {
  'page.team': t('Page to a team'),
  'page.person': t('Page a person'),
  moment: t('Moment by API'),
  webhook: t('Webhook call'),
  source: t('Call of a page source'),
};

const STATUSES: Record<RequestStatus, string> = {
  queued: tIn('the status of a request', 'queued'),
  processing: tIn('the status of a request', 'processing'),
  retrying: tIn('the status of a request', 'retrying'),
  succeeded: tIn('the status of a request', 'succeeded'),
  failed: tIn('the status of a request', 'failed'),
};

/** `succeeded` */
export const statusName = (status: RequestStatus): string => STATUSES[status] ?? status;
