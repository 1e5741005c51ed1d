import type { RequestKind, RequestStatus } from '../../../src/requests/contract.ts';
import type { Tone } from '../kit/pill.tsx';

export const STATUS_TONES: Record<RequestStatus, Tone> = {
  queued: 'info',
  processing: 'info',
  retrying: 'watch',
  succeeded: 'calm',
  failed: 'alarm',
};

export const KIND_WORDS: Record<RequestKind, string> = {
  'page.team': 'Page to a team',
  'page.person': 'Page to a person',
  moment: 'Moment by API',
  webhook: 'Webhook call',
  source: 'Call of a page source',
};
