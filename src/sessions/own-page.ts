import type { FastifyRequest } from 'fastify';
import { wrongContentType } from '../kit/content-type.ts';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { isSameOrigin } from './same-origin.ts';

/**
 * Requests that change something by cookie, or set one, must be JSON from our own pages. Forms of other sites can send
 * neither.
 */
export function demandOwnPage(request: FastifyRequest, publicUrl: string): void {
  const site = request.headers['sec-fetch-site'];
  const own = isSameOrigin({ site: [site].flat()[0], origin: request.headers.origin }, publicUrl);
  if (!own)
    throw new Fault('forbidden', [
      {
        field: 'Origin',
        message: t(
          'is not the address of the dashboard; send this request from a page of {publicUrl}, or with an API key',
          { publicUrl },
        ),
      },
    ]);
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
    throw wrongContentType(request.headers['content-type']);
}
