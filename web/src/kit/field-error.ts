import { Refusal } from '../api/call.ts';
import { detailText, fieldText } from './detail.ts';

/** What is wrong with one field of a form, for the line below it. */
export function fieldError(error: Error | null, field: string): string | null {
  if (!(error instanceof Refusal)) return null;
  const said = error.details.filter((detail) => isWithin(detail.field, field));
  return said.map(fieldText).join(' ') || null;
}

/** What is wrong otherwise than with one of `fields`, to show with the form as a whole. */
export function otherError(error: Error | null, fields: readonly string[]): string | null {
  if (!error) return null;
  if (!(error instanceof Refusal) || error.details.length === 0) return error.message;
  const said = error.details.filter((detail) => !fields.some((field) => isWithin(detail.field, field)));
  return said.map(detailText).join(' ') || null;
}

/** `settings.filter.labels` is said about `settings.filter`, too. */
function isWithin(said: string, field: string): boolean {
  return said === field || said.startsWith(`${field}.`) || said.startsWith(`${field}[`);
}
