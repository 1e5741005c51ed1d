import { ParseError, parsePhoneNumberWithError } from 'libphonenumber-js/min';
import type { MethodReader, Reading } from '../description-contract.ts';

const HINT = 'give it in international form, such as +49301234567';

/**
 * Parses a phone number as people write it, with spaces and brackets. It checks the length for the country, but not
 * whether the number is assigned, because providers' test numbers must be accepted.
 */
function readPhone(text: string): Reading {
  const given = text.trim();
  if (!given.startsWith('+')) return { problem: `does not start with + and a country code; ${HINT}` };
  try {
    const phone = parsePhoneNumberWithError(given);
    if (phone.ext) return { problem: `has an extension, which cannot be dialled; ${HINT}` };
    if (!phone.isPossible()) return { problem: `has too few or too many digits for its country; ${HINT}` };
    return { value: phone.number };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { problem: `${REASONS[error.message] ?? 'is not a phone number'}; ${HINT}` };
  }
}

const REASONS: Record<string, string> = {
  INVALID_COUNTRY: 'starts with a country code that does not exist',
  TOO_SHORT: 'has too few digits',
  TOO_LONG: 'has too many digits',
};

export const phoneMethod: MethodReader = { value: readPhone };
