import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { t } from '../../../language/contract.ts';

/**
 * The voices of Twilio by language. English names none, because it is the language of the default voice, which the
 * operator may choose in Twilio. The default voice speaks few other languages, so these name one.
 */
const VOICES: Readonly<Record<string, VoiceResponse.SayAttributes>> = {
  de: { language: 'de-DE', voice: 'Polly.Vicki' },
  fr: { language: 'fr-FR', voice: 'Polly.Lea' },
  es: { language: 'es-ES', voice: 'Polly.Lucia' },
  'pt-BR': { language: 'pt-BR', voice: 'Polly.Camila' },
  ja: { language: 'ja-JP', voice: 'Polly.Takumi' },
};

/** The attributes of `<Say>` for texts in a language. */
export function voiceOf(language: string): VoiceResponse.SayAttributes {
  return VOICES[language] ?? {};
}

/** The end of a spoken text that was shortened. */
export function andSoOn(): string {
  return t('{text} and so on.', { text: '' });
}
