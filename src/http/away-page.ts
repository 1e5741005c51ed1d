import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Fault } from '../kit/fault.ts';
import { escapeHtml, PLAIN_PAGE_HEADERS, plainPage, reloadAfter } from '../kit/plain-page.ts';
import { locale, t } from '../language/contract.ts';

/** Seconds until the page is loaded again. */
const AGAIN_AFTER = 5;

/**
 * The answer to a person while the database is away, in the current language. A page that was only read reloads itself.
 */
export function sendAwayPage(request: FastifyRequest, reply: FastifyReply, fault: Fault): FastifyReply {
  const reads = request.method === 'GET' || request.method === 'HEAD';
  const text = reads
    ? t('Nothing was changed. This page tries again by itself every {seconds} seconds.', {
        seconds: AGAIN_AFTER,
      })
    : t('The service {problem}.', { problem: fault.details[0]?.message ?? '' });
  const { head, headers } = reads ? reloadAfter(AGAIN_AFTER) : { head: '', headers: PLAIN_PAGE_HEADERS };
  return reply
    .code(fault.status)
    .headers({ ...fault.headers, ...headers })
    .send(
      plainPage(
        t('Not available'),
        `<p class="state">${escapeHtml(t('Not available'))}</p><h1>${escapeHtml(t('Tocsin cannot reach its database at the moment.'))}</h1><p>${escapeHtml(text)}</p><p class="muted">${escapeHtml(t('The operator sees the cause in the log of the service.'))}</p>`,
        head,
        locale(),
      ),
    );
}
