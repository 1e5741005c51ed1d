import { t } from '../language/contract.ts';
import { Fault } from './fault.ts';

/** Refuses a body with another content type. `type`: the header as it was sent; `wanted`: what to send instead. */
export function wrongContentType(type: string | undefined, wanted = 'application/json'): Fault {
  const given = type?.trim().slice(0, 100);
  const message = given
    ? t('is {given}, which is not accepted here; send {wanted}', { given: JSON.stringify(given), wanted })
    : t('is missing; send {wanted}', { wanted });
  return new Fault('unsupported_media_type', [{ field: 'Content-Type', message }]);
}
