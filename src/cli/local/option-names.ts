import { sentences } from '../../kit/detail-contract.ts';
import { Fault } from '../../kit/fault.ts';
import { Refusal } from '../refusal.ts';

/** Replaces the API's field names in a fault with the names of options. `options`: the options of the command; all by default. */
export function inTermsOfOptions(error: unknown, options?: readonly string[]): unknown {
  if (!(error instanceof Fault)) return error;
  const text = sentences(
    error.details.map(({ field, message }) => ({ field: optionOf(field, options), message })),
  );
  return new Refusal(text, { details: error.details });
}

/** `settings.filter.labels` is a field of the JSON in `--settings`. */
function optionOf(field: string, options?: readonly string[]): string {
  const [name = '', ...inside] = field.replace(/\[\d+\]$/, '').split('.');
  if (NO_OPTIONS.includes(name) || options?.includes(name) === false) return field;
  return [`--${OPTIONS[name] ?? name}`, inside.join('.')].filter(Boolean).join(' ');
}

const NO_OPTIONS = ['source', 'webhook'];
const OPTIONS: Record<string, string> = {
  expires_at: 'expires',
  signing_secret: 'signing-secret',
  interval_minutes: 'interval',
  old_until: 'old-until',
  starts_at: 'from',
  ends_at: 'to',
  repeats_until: 'until',
};
