import type { AvailabilityType } from '../../../src/availability/contract.ts';
import type { Tone } from '../kit/pill.tsx';

/** The label of each type of availability, and its effect. */
export const KINDS: Record<
  AvailabilityType,
  { short: string; label: string; hint: string; tone: Tone; sign: string }
> = {
  hard_unavailable: {
    short: 'away',
    label: 'I cannot',
    hint: 'Nobody plans you then, and a cover is looked for where you are on call already.',
    tone: 'alarm',
    sign: '✕',
  },
  soft_unavailable: {
    short: 'rather not',
    label: 'I would rather not',
    hint: 'You are planned only where the others would carry much more.',
    tone: 'watch',
    sign: '~',
  },
  requested: {
    short: 'asks for it',
    label: 'I want to',
    hint: 'You are planned where it costs the others nothing.',
    tone: 'info',
    sign: '+',
  },
};

/** What others see of a private absence or preference. */
export function privateWords(type: AvailabilityType): string {
  return type === 'hard_unavailable'
    ? 'Private: others see only “Away”'
    : 'Private: others see only the times';
}
