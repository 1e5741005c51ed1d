import type { FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { adapterFor } from '../moments/integrations/registry.ts';
import { callOf, rawBody } from './call.ts';

/**
 * Checks the signature if the webhook has a signing secret. @throws Fault 401 if the signature is missing or invalid
 */
export function requireSignature(request: FastifyRequest): void {
  const { webhook, sentHeaders: headers, now, integration } = callOf(request);
  const { signingSecret: secret } = webhook;
  if (secret === null) return;
  const call = { headers, body: rawBody(request), secret, now };
  if (adapterFor(integration)?.verify?.(call)) return;
  throw new Fault(
    'unauthorized',
    [
      {
        field: 'signature',
        message: t(
          'is missing, wrong or older than five minutes; sign the call with the secret of this webhook',
        ),
      },
    ],
    { 'www-authenticate': 'Signature realm="tocsin"' },
  );
}
