import { t } from '../../../language/contract.ts';
import { isEmail } from '../../../people/email.ts';
import type { MethodReader } from '../description-contract.ts';

export const emailMethod: MethodReader = {
  value: (text) =>
    isEmail(text)
      ? { value: text }
      : { problem: t('is not an email address; give an email address such as ada@example.com') },
};
