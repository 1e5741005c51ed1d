import type { Tone } from '../kit/pill.tsx';

export const NOTIFICATION_TONES: Readonly<Record<string, Tone>> = {
  queued: 'info',
  success: 'calm',
  error: 'watch',
  ignored: 'none',
};

/** `312 bytes`, `4.1 KiB`. */
export function sizeWords(bytes: number): string {
  return bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KiB`;
}
