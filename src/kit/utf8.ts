import { isUtf8 } from 'node:buffer';
import { t } from '../language/contract.ts';
import { Fault } from './fault.ts';

/**
 * The body of a request as text, without a byte order mark. @throws Fault 400 if it is not UTF-8, because replacement
 * characters would change the text
 */
export function utf8Text(body: Buffer, code: 'bad_request' | 'invalid_request' = 'bad_request'): string {
  if (isUtf8(body)) return body.toString('utf8').replace(/^\uFEFF/, '');
  throw new Fault(code, [{ field: 'body', message: t('is not UTF-8 text; send it encoded as UTF-8') }]);
}
