import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../kit/fault.ts';
import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage, reloadAfter } from '../kit/plain-page.ts';

/** Seconds until the page is loaded again. */
const AGAIN_AFTER = 5;

/** The answer to a person while the database is away. What was only read is loaded again by itself. */
export function sendAwayPage(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const body = reads
    ? `<p>Nothing was changed. This page tries again by itself every ${AGAIN_AFTER} seconds.</p>`
    : `<p>The service ${escapeHtml(fault.details[0]?.message ?? '')}.</p>`;
  const { head, headers } = reads ? reloadAfter(AGAIN_AFTER) : { head: '', headers: PLAIN_PAGE_HEADERS };
  return reply
    .code(fault.status)
    .headers({ ...fault.headers, ...headers })
    .send(
      plainPage(
        'Not available',
        `<p class="state">Not available</p><h1>Tocsin cannot reach its database just now.</h1>${body}<p class="muted">The operator sees the cause in the log of the service.</p>`,
        head,
      ),
    );
}
