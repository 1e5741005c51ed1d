import { type Detail, Fault } from '../kit/fault.ts';
import { commas, t } from '../language/contract.ts';
import { PROVIDER, type ProviderName } from './channels/providers-contract.ts';
import { providerSettings } from './channels/registry.ts';
import type { FormValues } from './channels/settings.ts';

/**
 * The values of a provider's form after somebody entered these: texts without surrounding blanks, the default of a choice that
 * was left out, and stored secrets that were left out and still have a use. A stored secret is not kept if a field changed that
 * says where it is sent, because people who cannot read it could otherwise have it sent to a server of their own. @throws Fault
 * 400 that names the fields
 */
export function readProviderForm(
  name: ProviderName,
  entered: Readonly<Record<string, string>>,
  stored: FormValues | null,
): FormValues {
  const { fields } = PROVIDER[name];
  const unknown = Object.keys(entered).filter((field) => !Object.hasOwn(fields, field));
  if (unknown.length > 0)
    throw refused(
      unknown.map((field) => ({
        field,
        message: t('is not a field of this provider; use {names}', { names: Object.keys(fields).join(', ') }),
      })),
    );
  const { form } = providerSettings(name);
  const values: Record<string, string> = {};
  for (const [field, { choices, secret, belongsTo }] of Object.entries(fields)) {
    const text = (entered[field] ?? '').trim();
    const isUsed = belongsTo === undefined || (entered[belongsTo] ?? '').trim() !== '';
    const before = secret && isUsed ? (stored?.[field] ?? '') : '';
    values[field] = text || before || (choices?.[0]?.value ?? '');
  }
  const moved = form.bound.filter((field) => stored !== null && (stored[field] ?? '') !== values[field]);
  const faults: Detail[] = [];
  for (const [field, { required, secret, choices }] of Object.entries(fields)) {
    const isKept = secret && !entered[field]?.trim() && values[field] !== '';
    if (isKept && moved.length > 0)
      faults.push({
        field,
        message: t('has to be entered again, because you changed: {names}', {
          names: commas(moved.map((one) => fields[one]?.label ?? one)),
        }),
      });
    else if (required && values[field] === '') faults.push({ field, message: t('is missing; enter it') });
    else if (choices && !choices.some(({ value }) => value === values[field]))
      faults.push({
        field,
        message: t('is not one of {names}', { names: choices.map(({ value }) => value).join(', ') }),
      });
  }
  if (faults.length === 0) faults.push(...form.faults(values));
  if (faults.length > 0) throw refused(faults);
  return values;
}

function refused(faults: readonly Detail[]): Fault {
  return new Fault(
    'bad_request',
    faults.map(({ field, message }) => ({ field: `values.${field}`, message })),
  );
}
