import { privateLiteral } from '../../../kit/private-addresses.ts';
import { FORMATS } from '../../../kit/validation.ts';
import { t } from '../../../language/contract.ts';
import type { MethodReader } from '../description-contract.ts';

export const webhookMethod: MethodReader = {
  value(text, allowPrivate) {
    if (!FORMATS['http-url']?.(text))
      return { problem: t('is not an http or https URL; give one such as https://example.com/pages') };
    const url = new URL(text);
    if (url.username || url.password)
      return {
        problem: t('contains a user name or password; leave them out, because every call is signed instead'),
      };
    if (!allowPrivate && (url.hostname === 'localhost' || privateLiteral(url) !== null))
      return {
        problem: t('is a private address; give a public one, or set ALLOW_PRIVATE_WEBHOOKS=true'),
      };
    return { value: text };
  },
};
