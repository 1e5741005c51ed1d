import { t } from '../language/t.ts';

/** What a list of choices says when it has none: `message` only once its `data` are loaded. */
export function nothingFound(data: unknown, message: string): string {
  return data === undefined ? t('Loading …') : message;
}
