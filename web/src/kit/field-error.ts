import { Refusal } from '../api/call.ts';
import { detailText, fieldText } from './detail.ts';

/** The error of one field of a form, shown below it. */
export function fieldError(error: Error | null, field: string): string | null {
  if (!(error instanceof Refusal)) return null;
  const said = error.details.filter((detail) => isWithin(detail.field, field));
  return said.map(fieldText).join(' ') || null;
}

/** The error of a field itself, without those of the fields within it. */
export function ownError(error: Error | null, field: string): string | null {
  if (!(error instanceof Refusal)) return null;
  return (
    error.details
      .filter((detail) => detail.field === field)
      .map(fieldText)
      .join(' ') || null
  );
}

/** Errors that concern none of `fields`, shown with the form as a whole. */
export function otherError(error: Error | null, fields: readonly string[]): string | null {
  if (!error) return null;
  if (!(error instanceof Refusal) || error.details.length === 0) return error.message;
  const said = error.details.filter((detail) => !fields.some((field) => isWithin(detail.field, field)));
  return said.map(detailText).join(' ') || null;
}

/** An error of `settings.filter.labels` is also one of `settings.filter`. */
function isWithin(said: string, field: string): boolean {
  return said === field || said.startsWith(`${field}.`) || said.startsWith(`${field}[`);
}
