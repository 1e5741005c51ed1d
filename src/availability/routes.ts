import type { IncomingMessage } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { credentialOf, type Keys, requireKey } from '../keys/authenticate.ts';
import type { Budgets } from '../keys/budget.ts';
import { refuseCompressed } from '../kit/compressed.ts';
import { Fault } from '../kit/fault.ts';
import { readIdempotency } from '../requests/idempotency.ts';
import { type Answer, withoutHeaders } from './answer.ts';
import { readBody } from './body.ts';
import { UPLOAD_PATH } from './contract.ts';
import { readCsv } from './csv.ts';
import { FORM_TYPES, readForm, type UploadForm } from './form.ts';
import { createTurns } from './turns.ts';
import { Unreadable } from './unreadable.ts';
import { runUpload } from './upload.ts';
import { uploadSchema } from './upload-schema.ts';

/** Uploads worked on at once: each may hold 100,000 rows in memory and one of the connections to the database. */
const AT_ONCE = 2;

type Services = { db: Database; clock: Clock; keys: Keys; budgets: Budgets };

/** POST /availabilities/upload, for the upload listener. */
export function uploadRoutes(listener: FastifyInstance, services: Services): void {
  const { db, clock, keys, budgets } = services;
  const turns = createTurns(AT_ONCE);

  async function upload(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const form = readForm(request.headers['content-type'] ?? '', bodyOf(request));
    const saving = [form.commit, ...queryCommits(request)].includes('save');
    const route = `POST ${UPLOAD_PATH} commit=${saving ? 'save' : ''}`;
    const idempotency = readIdempotency(request.headers['idempotency-key'], route, form.file);
    const answer = await turns.run(async () => {
      const reading = await readCsv(form.file);
      const warnings = saving ? form.warnings : [...form.warnings, ...commitWarnings(request, form)];
      return runUpload(db, clock, {
        credential: credentialOf(request),
        saving,
        reading,
        warnings,
        idempotency,
      });
    });
    return send(reply, answer);
  }

  // A scope of its own: here a form is kept as bytes, which no other route could use.
  listener.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    for (const type of FORM_TYPES) scope.addContentTypeParser(type, readPayload);
    scope.addContentTypeParser('*', async () => {
      throw notAForm();
    });
    scope.setErrorHandler(answerError);
    scope.post(
      UPLOAD_PATH,
      {
        schema: uploadSchema,
        onRequest: requireKey(keys, budgets, 'availabilities'),
        // The schema is there to be read: forms are bytes here, and answers are JSON already.
        validatorCompiler: () => () => true,
        serializerCompiler: () => (data) => JSON.stringify(data),
      },
      upload,
    );
  });
}

function readPayload(request: FastifyRequest, payload: IncomingMessage): Promise<Buffer> {
  refuseCompressed(request.headers);
  return readBody(payload);
}

function bodyOf(request: FastifyRequest): Buffer {
  if (Buffer.isBuffer(request.body)) return request.body;
  throw new Unreadable('the request has no body; send a form with the CSV in its field "file"');
}

function queryCommits(request: FastifyRequest): unknown[] {
  return [(request.query as Record<string, unknown>).commit].flat();
}

/** Whoever writes `commit=true` believes that something was saved. */
function commitWarnings(request: FastifyRequest, form: UploadForm): string[] {
  const [other] = [form.commit, ...queryCommits(request)].filter(
    (value) => typeof value === 'string' && value !== '',
  );
  if (other === undefined) return [];
  return [
    `commit is ${JSON.stringify(String(other).slice(0, 40))}, which saves nothing; pass commit=save to save`,
  ];
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body());
}

/** A 400 of this route has a shape of its own; everything else is answered as everywhere. */
async function answerError(
  error: FastifyError,
  _: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (error instanceof Unreadable) return send(reply, withoutHeaders(error.message));
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') throw notAForm();
  if (!(error instanceof Fault) || error.status !== 400) throw error;
  return reply.code(400).send({ ok: false, message: `${error.message}.`, details: error.details });
}

function notAForm(): Fault {
  const message = `is not accepted here; send ${FORM_TYPES.join(' or ')} with the CSV in the field "file"`;
  return new Fault('unsupported_media_type', [{ field: 'Content-Type', message }]);
}
