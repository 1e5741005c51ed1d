import { type JsonObject, textField } from './payload.ts';

const MOST = 100;
const LONGEST_VALUE = 200;

/** The short texts and numbers of an object as `key=value`, for rules to match. Long texts are not labels. */
export function detailLabels(details: JsonObject): string[] {
  return Object.keys(details)
    .slice(0, MOST)
    .flatMap((name) => {
      const value = textField(details, name)?.trim() ?? '';
      return value === '' || value.length > LONGEST_VALUE ? [] : [`${name.slice(0, 100)}=${value}`];
    });
}
