import { ParseError, parsePhoneNumberWithError } from 'libphonenumber-js/min';
import { t } from '../../../language/contract.ts';
import type { MethodReader, Reading } from '../description-contract.ts';

/**
 * Parses a phone number as people write it, with spaces and brackets. Checks the length for the country, but not
 * whether the number is assigned, because providers' test numbers must be accepted.
 */
function readPhone(text: string): Reading {
  const given = text.trim();
  if (!given.startsWith('+'))
    return {
      problem: t(
        'does not start with + and a country code; give it in international form, such as +49301234567',
      ),
    };
  try {
    const phone = parsePhoneNumberWithError(given);
    if (phone.ext)
      return {
        problem: t(
          'has an extension, which cannot be dialled; give it in international form, such as +49301234567',
        ),
      };
    if (!phone.isPossible())
      return {
        problem: t(
          'has too few or too many digits for its country; give it in international form, such as +49301234567',
        ),
      };
    return { value: phone.number };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { problem: reasonOf(error) };
  }
}

function reasonOf({ message }: ParseError): string {
  switch (message) {
    case 'INVALID_COUNTRY':
      return t(
        'starts with a country code that does not exist; give it in international form, such as +49301234567',
      );
    case 'TOO_SHORT':
      return t('has too few digits; give it in international form, such as +49301234567');
    case 'TOO_LONG':
      return t('has too many digits; give it in international form, such as +49301234567');
    default:
      return t('is not a phone number; give it in international form, such as +49301234567');
  }
}

export const phoneMethod: MethodReader = { value: readPhone };
