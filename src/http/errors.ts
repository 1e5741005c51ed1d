import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { awayReason, isDatabaseAway, isTooSlow, NotConnected } from '../db/away.ts';
import { languageOfBrowser } from '../kit/browser-language.ts';
import { wrongContentType } from '../kit/content-type.ts';
import { sentence } from '../kit/detail-contract.ts';
import { Fault, type FaultCode } from '../kit/fault.ts';
import { isOpenedByPerson } from '../kit/opened-by-person.ts';
import { type Finding, findingsToDetails } from '../kit/validation.ts';
import { inLanguage } from '../language/ambient.ts';
import { t } from '../language/contract.ts';
import { languageOfRequest } from './answer-in-language.ts';
import { sendAwayPage } from './away-page.ts';

/** Fastify's own error codes and the fault for each. */
const FRAMEWORK: Record<string, { code: FaultCode; field: string; message: () => string }> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    code: 'bad_request',
    field: 'Content-Length',
    message: () => t('does not match the length of the body; give the number of bytes, or leave it out'),
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: {
    code: 'bad_request',
    field: 'body',
    message: () => t('is empty; send a JSON object'),
  },
};

/** Answers every error in one shape, `{error, details}`, without internal details. */
export function answerErrors(listener: FastifyInstance): void {
  listener.setErrorHandler((error: FastifyError, request, reply) =>
    // The body is parsed outside the context of the request.
    inLanguage(languageOfRequest(request), () => answerError(error, request, reply)),
  );
}

async function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply) {
  if (isDatabaseAway(error) && isOpenedByPerson(request))
    return inLanguage(languageOfBrowser(request), () =>
      sendAwayPage(request, reply, unavailable(request, error)),
    );
  const fault = toFault(error, request);
  if (fault) return answer(reply, fault);
  request.log.error(
    { err: error, method: request.method, route: request.routeOptions.url },
    'a request failed',
  );
  return reply.code(500).send({ error: 'Internal Server Error', details: [] });
}

function answer(reply: FastifyReply, fault: Fault): FastifyReply {
  return reply
    .code(fault.status)
    .headers(fault.headers)
    .send({
      error: fault.reason,
      details: fault.details.map((detail) => ({ ...detail, message: sentence(detail) })),
    });
}

function toFault(error: FastifyError, request: FastifyRequest): Fault | null {
  if (error instanceof Fault) return error;
  if (error.validation) {
    const code = request.routeOptions.config.invalidRequest ? 'invalid_request' : 'bad_request';
    return new Fault(
      code,
      findingsToDetails(error.validation as unknown as Finding[], error.validationContext ?? 'body'),
    );
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return tooLarge(request.routeOptions.bodyLimit);
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return wrongContentType(request.headers['content-type']);
  const known = FRAMEWORK[error.code];
  if (known) return new Fault(known.code, [{ field: known.field, message: known.message() }]);
  if (isTooSlow(error) && SAFE.has(request.method)) return tooSlow();
  if (isDatabaseAway(error)) return unavailable(request, error);
  if (error.statusCode && error.statusCode >= 400 && error.statusCode < 500) {
    return new Fault(error.statusCode === 415 ? 'unsupported_media_type' : 'bad_request', [
      { field: 'request', message: error.message },
    ]);
  }
  return null;
}

function tooLarge(limitBytes: number | undefined): Fault {
  const message =
    limitBytes === undefined
      ? t('is larger than this route accepts; send less')
      : t('is larger than {limit} KiB; send less', { limit: Math.floor(limitBytes / 1_024) });
  return new Fault('payload_too_large', [{ field: 'body', message }]);
}

/** The field is not `service`, because the database is not away: it ended a statement that reads too much. */
function tooSlow(): Fault {
  const message = t(
    'takes the database longer than it may; request less, such as a shorter period, or try again when there is less load',
  );
  return new Fault('unavailable', [{ field: 'request', message }], { 'retry-after': '10' });
}

/**
 * The database became unavailable. Whether the write was committed is unknown: the connection may have failed between
 * the commit and its confirmation.
 */
function unavailable(request: FastifyRequest, error: Error): Fault {
  const next =
    error instanceof NotConnected ? t('nothing was stored; send the request again') : whatToDo(request);
  const message = t('{reason}; {next}', { reason: awayReason(request.isAfloat), next });
  return new Fault('unavailable', [{ field: 'service', message }], { 'retry-after': '2' });
}

function whatToDo({ method, headers, routeOptions }: FastifyRequest): string {
  if (SAFE.has(method)) return t('send the request again');
  if (!TAKES_KEY.test(routeOptions.url ?? ''))
    return t('the request may have been stored; check before you send it again');
  if (headers['idempotency-key'] !== undefined)
    return t(
      'the request may have been stored; send it again with the same Idempotency-Key, and it is stored only once',
    );
  return t(
    'the request may have been stored; check before you send it again, and give each request an Idempotency-Key, because a repeat with the same key is stored only once',
  );
}

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Routes that accept an idempotency key, where repeating the request is safe. */
const TAKES_KEY = /^\/(page|moment|availabilities|api\/pages)\b/;
