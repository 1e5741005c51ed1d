import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { route } from '../kit/route.ts';
import { createTurns } from '../kit/turns.ts';
import { languageHere } from '../language/ambient.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type AdmissionLimits, createAdmission } from './admission.ts';
import { recordsApi } from './api-contract.ts';
import { MAX_FILE_BYTES, tooLarge } from './body.ts';
import { type HeldUpload, holdUpload } from './held-upload.ts';
import { sheetOf } from './sheet.ts';
import type { Spool } from './spool.ts';
import { runHeldUpload } from './upload-thread.ts';

/** How many uploads run at once: each may hold 100,000 rows in memory, in the process that serves the dashboard. */
const AT_ONCE = 1;
/** In JSON, escaped characters such as line breaks take twice the space. */
const BODY_LIMIT = 2 * MAX_FILE_BYTES + 64 * 1_024;
/** Limits for uploads in memory: personal files are small, and a large one may wait for another. */
const MOST_HELD: AdmissionLimits = { uploads: 20, bytes: 2 * BODY_LIMIT };

/**
 * The public upload for the dashboard, with the same processing and answer. The
 * dashboard cannot use the upload listener, because that is another origin, to which its pages may not send cookies.
 */
export function uploadApiRoute(
  api: FastifyInstance,
  { db, clock, spool }: { db: Database; clock: Clock; spool: Spool },
): void {
  const turns = createTurns(AT_ONCE);
  const admission = createAdmission(MOST_HELD);
  const held = new WeakMap<FastifyRequest, HeldUpload>();
  route(
    api,
    recordsApi.upload,
    async (request, reply) => {
      const upload = held.get(request);
      if (!upload) throw new Error('an upload was not admitted before it was read');
      const { organizationId, userId, authentication } = viewerOf(request);
      const { csv, commit, time_zone: timeZone } = request.body;
      const file = Buffer.from(csv, 'utf8');
      if (file.length > MAX_FILE_BYTES) throw tooLarge();
      const credential = {
        ...{ organizationId, userId, scopes: null },
        // The audit log records this id as the subject.
        keyId: authentication.kind === 'key' ? authentication.id : userId,
      };
      upload.keep(file);
      const task = {
        contentType: null,
        commits: commit ? [commit] : [],
        idempotencyKey: undefined,
        credential,
        warnings: [],
        sheet: timeZone === undefined ? null : sheetOf(timeZone, languageHere()),
      };
      const services = { db, clock };
      const { status, body } = await turns.run(() => runHeldUpload(services, upload, task), upload.signal);
      return reply.code(status).type('application/json; charset=utf-8').send(body);
    },
    {
      bodyLimit: BODY_LIMIT,
      async onRequest(request, reply) {
        held.set(request, holdUpload({ admission, spool }, request, reply, BODY_LIMIT));
      },
    },
  );
}
