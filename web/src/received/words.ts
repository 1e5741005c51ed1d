import { locale } from '../../../src/language/contract.ts';
import type { CallPage } from '../../../src/webhooks/call-contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { t, tIn } from '../language/t.ts';

export const NOTIFICATION_TONES: Readonly<Record<string, Tone>> = {
  queued: 'info',
  success: 'calm',
  error: 'watch',
  ignored: 'none',
};

const STATES: Readonly<Record<string, string>> = {
  queued: tIn('the state of a received call', 'queued'),
  success: tIn('the state of a received call', 'success'),
  error: tIn('the state of a received call', 'error'),
  ignored: tIn('the state of a received call', 'ignored'),
};

/** `success`: the state of a received call. */
export const callStateName = (state: string): string => STATES[state] ?? state;

/** `raised Disk full`: what a call did to a page. */
export function outcomeWords(action: CallPage['action'], title: string): string {
  switch (action) {
    case 'raised':
      return t('raised {title}', { title }).trim();
    case 'updated':
      return t('updated {title}', { title }).trim();
    case 'acknowledged':
      return t('acknowledged {title}', { title }).trim();
    case 'resolved':
      return t('resolved {title}', { title }).trim();
    case 'waiting':
      return t('waiting {title}', { title }).trim();
    default:
      return t('ignored {title}', { title }).trim();
  }
}

/** `312 bytes`, `4.1 KiB`. */
export function sizeWords(bytes: number): string {
  if (bytes < 1_024) return t('{count} bytes', { count: bytes });
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return t('{size} KiB', { size: new Intl.NumberFormat(locale(), digits).format(bytes / 1_024) });
}
