import type { IncomingHttpHeaders } from 'node:http';
import { t } from '../language/contract.ts';
import { Fault } from './fault.ts';

/** Bodies are not decompressed: a compressed one would only be reported as invalid JSON. */
export function refuseCompressed(headers: IncomingHttpHeaders): void {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  if (!coding || coding === 'identity') return;
  const message = t('is {coding}, which is not accepted here; send the body as it is, not compressed', {
    coding: JSON.stringify(coding.slice(0, 40)),
  });
  throw new Fault('unsupported_media_type', [{ field: 'Content-Encoding', message }], {
    'accept-encoding': 'identity',
  });
}
