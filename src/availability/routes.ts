import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { refuseCompressed } from '../kit/compressed.ts';
import { wrongContentType } from '../kit/content-type.ts';
import { sentence } from '../kit/detail-contract.ts';
import { Fault } from '../kit/fault.ts';
import { createTurns } from '../kit/turns.ts';
import { unknownFieldWarnings } from '../kit/validation.ts';
import { type AdmissionLimits, createAdmission } from './admission.ts';
import { type Answer, withoutHeaders } from './answer.ts';
import { MAX_BODY_BYTES, tooLarge } from './body.ts';
import { UPLOAD_PATH } from './contract.ts';
import { FORM_TYPES } from './form.ts';
import { type HeldUpload, holdUpload } from './held-upload.ts';
import type { Spool } from './spool.ts';
import { Unreadable } from './unreadable.ts';
import { uploadSchema } from './upload-schema.ts';
import { runHeldUpload } from './upload-thread.ts';

/** How many uploads run at once: each holds up to 100,000 rows in memory and competes with paging for time. */
const AT_ONCE = 1;

/** Limits for uploads on the disk: those running, those waiting, and those whose answers are being read. */
const MOST_HELD: AdmissionLimits = { uploads: 20, bytes: 1024 ** 3 };

export type UploadServices = {
  db: Database;
  clock: Clock;
  keys: Keys;
  budgets: Budgets;
  /** Stores waiting uploads. */
  spool: Spool;
  /** Default: `MOST_HELD`. */
  mostHeld?: AdmissionLimits;
  threadMegabytes?: number;
};

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body of an upload is read. */
    heldUpload: HeldUpload | null;
  }
}

/** POST /availabilities/upload, for the upload listener. */
export function uploadRoutes(listener: FastifyInstance, services: UploadServices): void {
  const { keys, budgets, spool } = services;
  const turns = createTurns(AT_ONCE);
  const admission = createAdmission(services.mostHeld ?? MOST_HELD);

  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const held = heldOf(request);
    if (request.body !== true)
      throw new Unreadable('the request has no body; send a form with the CSV in its field "file"');
    const task = {
      contentType: request.headers['content-type'] ?? '',
      commits: queryCommits(request),
      idempotencyKey: request.headers['idempotency-key'],
      credential: credentialOf(request),
      warnings: unknownFieldWarnings(request.query, ['commit']),
      sheet: null,
    };
    const { status, body } = await turns.run(() => runHeldUpload(services, held, task), held.signal);
    return reply.code(status).type('application/json; charset=utf-8').send(body);
  }

  async function hold(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    request.heldUpload = holdUpload({ admission, spool }, request, reply, MAX_BODY_BYTES);
  }

  // An encapsulated scope: its content-type parsers keep forms as bytes, which no other route could use.
  listener.register(async (scope) => {
    scope.decorateRequest('heldUpload', null);
    scope.removeAllContentTypeParsers();
    for (const type of FORM_TYPES) scope.addContentTypeParser(type, readPayload);
    scope.addContentTypeParser('*', async (request: FastifyRequest) => {
      throw notAForm(request);
    });
    scope.setErrorHandler(answerError);
    scope.post(
      UPLOAD_PATH,
      {
        schema: uploadSchema,
        onRequest: [requireKey(keys, budgets, 'availabilities'), hold],
        // The schema is only documentation: forms are bytes here, and answers are rendered already.
        validatorCompiler: () => () => true,
        serializerCompiler: () => (data) => JSON.stringify(data),
      },
      upload,
    );
  });
}

/** Receives the body into the held upload; `true` only marks that there was a body. */
async function readPayload(request: FastifyRequest, payload: IncomingMessage): Promise<true> {
  refuseCompressed(request.headers);
  if ((await heldOf(request).receive(payload, MAX_BODY_BYTES)) > MAX_BODY_BYTES) throw tooLarge();
  return true;
}

function heldOf(request: FastifyRequest): HeldUpload {
  if (request.heldUpload) return request.heldUpload;
  throw new Error('an upload was not admitted before it was read');
}

function queryCommits(request: FastifyRequest): string[] {
  const given = [(request.query as Record<string, unknown>).commit].flat();
  return given.filter((commit) => typeof commit === 'string');
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body());
}

/** Answers a 400 in the format of this route, and passes on other errors. */
async function answerError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (error instanceof Unreadable) return send(reply, withoutHeaders(error.message));
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw notAForm(request);
  if (!(error instanceof Fault) || error.status !== 400) throw error;
  return reply.code(400).send({
    ok: false,
    message: error.message,
    details: error.details.map((detail) => ({ ...detail, message: sentence(detail) })),
  });
}

function notAForm(request: FastifyRequest): Fault {
  const wanted = `${FORM_TYPES.join(' or ')} with the CSV in the field "file"`;
  return wrongContentType(request.headers['content-type'], wanted);
}
