import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type Answer, withoutHeaders } from './answer.ts';
import { UploadBody } from './api-contract.ts';
import { MAX_FILE_BYTES, tooLarge } from './body.ts';
import { readCsv } from './csv.ts';
import { createTurns } from './turns.ts';
import { Unreadable } from './unreadable.ts';
import { runUpload } from './upload.ts';

/** Each may hold 100,000 rows in memory, beside the pages of this listener. */
const AT_ONCE = 1;
/** In JSON a line break, and what else is escaped, takes twice the room. */
const BODY_LIMIT = 2 * MAX_FILE_BYTES + 64 * 1_024;

/**
 * POST /api/availabilities/upload: the upload of the public API for the dashboard. The upload listener is another
 * origin, which a page of ours may not send cookies to; what happens to the rows and what is answered is the same.
 */
export function uploadApiRoute(api: FastifyInstance, { db, clock }: { db: Database; clock: Clock }): void {
  const turns = createTurns(AT_ONCE);
  api.post(
    '/availabilities/upload',
    { schema: { hide: true, body: UploadBody }, bodyLimit: BODY_LIMIT },
    async (request, reply) => {
      const { organizationId, userId, pass } = viewerOf(request);
      const { csv, commit } = request.body as UploadBody;
      const file = Buffer.from(csv, 'utf8');
      if (file.length > MAX_FILE_BYTES) throw tooLarge();
      const credential = {
        ...{ organizationId, userId, scopes: null },
        // Who did it is written down under this name.
        keyId: pass.kind === 'key' ? pass.id : userId,
      };
      const answer = await turns.run(async () => {
        const reading = await readCsv(file).catch(unreadable);
        if ('status' in reading) return reading;
        const saving = commit === 'save';
        return runUpload(db, clock, { credential, saving, reading, warnings: [], idempotency: null });
      });
      return send(reply, answer);
    },
  );
}

function unreadable(error: unknown): Answer {
  if (error instanceof Unreadable) return withoutHeaders(error.message);
  throw error;
}

function send(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).type('application/json; charset=utf-8').send(body());
}
