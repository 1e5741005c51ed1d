import { EMAIL_HINT, isEmail } from '../../../people/email.ts';
import type { MethodReader } from '../description-contract.ts';

export const emailMethod: MethodReader = {
  value: (text) =>
    isEmail(text) ? { value: text } : { problem: `is not an email address; give ${EMAIL_HINT}` },
};
