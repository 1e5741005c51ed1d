import type { AvailabilityType } from '../../../src/availability/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { t } from '../language/t.ts';

/** The label of each type of availability, and its effect. */
export const KINDS: Record<
  AvailabilityType,
  { short: string; label: string; hint: string; tone: Tone; sign: string }
> = {
  hard_unavailable: {
    short: t('away'),
    label: t('I cannot'),
    hint: t('You are not planned then, and Tocsin looks for a cover where you are already on call.'),
    tone: 'alarm',
    sign: '✕',
  },
  soft_unavailable: {
    short: t('prefers not'),
    label: t('I would rather not'),
    hint: t('You are planned only where the others would have much more.'),
    tone: 'watch',
    sign: '~',
  },
  requested: {
    short: t('requested'),
    label: t('I want to'),
    hint: t('You are planned where it costs the others nothing.'),
    tone: 'info',
    sign: '+',
  },
};

/** What others see of a private absence or preference. */
export function privateWords(type: AvailabilityType): string {
  return type === 'hard_unavailable'
    ? t('Private: others see only “Away”')
    : t('Private: others see only the times');
}
