import { PROVIDER } from '../../../src/notifications/channels/providers-contract.ts';
import type { Provider } from '../../../src/notifications/providers-api-contract.ts';
import { commas } from '../language/t.ts';

/** The values by which people recognize how a provider is set up: “smtp.example.com, Tocsin <tocsin@example.com>”. */
export function recognizedBy({ name, values }: Pick<Provider, 'name' | 'values'>): string {
  const shown = Object.entries(PROVIDER[name].fields).filter(
    ([, { required, secret, choices }]) => required && !secret && !choices,
  );
  return commas(shown.map(([field]) => values[field] ?? '').filter(Boolean));
}

/** What the form of a provider begins with; secrets are never shown again. */
export function formValues({ name, values }: Pick<Provider, 'name' | 'values'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(PROVIDER[name].fields).map(([field, { choices }]) => [
      field,
      values[field] ?? choices?.[0]?.value ?? '',
    ]),
  );
}
