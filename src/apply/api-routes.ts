import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { refuseCompressed } from '../kit/compressed.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import type { Sealing } from '../kit/sealing.ts';
import { createTurns } from '../kit/turns.ts';
import { utf8Text } from '../kit/utf8.ts';
import { inLanguage } from '../language/ambient.ts';
import { may } from '../people/rights.ts';
import { peopleById } from '../people/store.ts';
import type { Solver } from '../planning/threads/solver.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { applyApi } from './api-contract.ts';
import { type ApiApplier, notAnOwner } from './applier.ts';
import { type Applied, type ApplyOptions, applyFile } from './apply.ts';
import { FileRefused } from './file/document.ts';
import { appliedValue } from './present.ts';

export type ApplyApiServices = {
  db: Database;
  clock: Clock;
  solver: Solver;
  sealing: Sealing;
  /** Removes disabled people from pages that would notify them. */
  personDisabled(): Promise<unknown>;
  /** Informs open dashboards of changes. */
  changedRooms: { announce(organizationId: string, rooms: readonly string[]): void };
};

const LIMITS = {
  /** Reading a file of this size occupies the process, which also accepts pages, for some tenths of a second. */
  bytes: 256 * 1_024,
  /** Files that wait in this process while another is applied. */
  waiting: 4,
  /** From the request to the last step. Solving a plan takes at most ten seconds, and a file may have many. */
  ms: 300_000,
};

/** The rooms that a file can change, by their names for open dashboards. */
const ROOMS = [
  ...['organization', 'people', 'teams', 'schedules', 'covers', 'availabilities', 'holiday-calendars'],
  ...['webhooks', 'sources', 'windows'],
];

/** The operator's file over HTTP. */
export function applyApiRoutes(api: FastifyInstance, services: ApplyApiServices): void {
  const turns = createTurns(1);
  let held = 0;
  // The file is read as text, so that errors can name lines and columns. JSON is YAML as well.
  api.register(async (scope) => {
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser(
      ['application/json', 'application/yaml', 'application/x-yaml', 'text/yaml', 'text/x-yaml'],
      { parseAs: 'buffer' },
      async (request: FastifyRequest, body: Buffer) => {
        refuseCompressed(request.headers);
        return utf8Text(body, 'bad_request');
      },
    );
    route(
      scope,
      applyApi.apply,
      async (request, reply) => {
        const viewer = viewerOf(request);
        if (!may(viewer, 'file.apply')) throw notAnOwner();
        const { dry_run: dryRun, prune } = request.query;
        const text = typeof request.body === 'string' ? request.body : '';
        if (held > LIMITS.waiting) throw busy();
        held++;
        try {
          const file = { text, options: { dryRun, prune }, signal: endOf(reply) };
          // Texts about the operator's file are English, as on the command line.
          const applied = await turns.run(
            () => inLanguage('en', () => applyFor(services, viewer, file)),
            file.signal,
          );
          return appliedValue(applied, file.options);
        } finally {
          held--;
        }
      },
      { bodyLimit: LIMITS.bytes },
    );
  });
}

type SentFile = { text: string; options: ApplyOptions; signal: AbortSignal };

async function applyFor(
  services: ApplyApiServices,
  viewer: Viewer,
  { text, options, signal }: SentFile,
): Promise<Applied> {
  const { db, changedRooms, personDisabled } = services;
  const { organizationId, userId, authentication } = viewer;
  const people = await peopleById(db, organizationId, [userId]);
  const name = people.get(userId)?.name ?? 'somebody';
  const by: ApiApplier = { organizationId, userId, name, byKey: authentication.kind === 'key' };
  const report = () => signal.throwIfAborted();
  const applied = await applyFile({ ...services, by, report }, text, options).catch((error: unknown) => {
    throw error instanceof FileRefused ? refusal(error) : error;
  });
  if (options.dryRun || applied.changes.length === 0) return applied;
  changedRooms.announce(organizationId, ROOMS);
  if (options.prune) await personDisabled();
  return applied;
}

/** Aborted when the client disconnects, or when applying the file takes too long. */
function endOf(reply: FastifyReply): AbortSignal {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(tookTooLong()), LIMITS.ms).unref();
  reply.raw.once('close', () => {
    clearTimeout(timer);
    end.abort(
      new Fault('bad_request', [{ field: 'request', message: 'was cut off by the client; send it again' }]),
    );
  });
  return end.signal;
}

/** Each detail names a field of the file with its line and column. */
function refusal({ errors }: FileRefused): Fault {
  return new Fault(
    'bad_request',
    errors.map(({ line, column, path, message }) => ({
      field: path,
      message: `in line ${line}, column ${column}, ${message}`,
    })),
  );
}

function busy(): Fault {
  const message = 'cannot be applied now, because too many files are waiting; send it again in a minute';
  return new Fault('unavailable', [{ field: 'file', message }], { 'retry-after': '60' });
}

function tookTooLong(): Fault {
  const message = `took longer than ${LIMITS.ms / 60_000} minutes to apply, and nothing was changed; send it in several parts, or let the operator of the service apply it with tocsin apply`;
  return new Fault('unavailable', [{ field: 'file', message }], { 'retry-after': '300' });
}
