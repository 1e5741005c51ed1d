import { t } from '../language/t.ts';

/** A text in the quotes of the language of the dashboard. */
export function quoted(text: string): string {
  return t('“{text}”', { text });
}
