import type { FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';

/**
 * Whether a call is a dry run. @throws Fault 400 for anything except `true` and `false`, because a wrong guess would
 * page people
 */
export function isDryRun(request: FastifyRequest): boolean {
  const { dry_run: given } = request.query as { dry_run?: unknown };
  if (given === undefined || given === 'false') return false;
  if (given === 'true') return true;
  const shown = JSON.stringify([given].flat().join(', ').slice(0, 100));
  throw new Fault('bad_request', [
    {
      field: 'dry_run',
      message: `is ${shown}; give true to see what the call would do, or leave it out to page`,
    },
  ]);
}

/**
 * For calls that cannot be tried, such as those of heartbeats. @throws Fault 400 for a dry run, because recording the
 * call would be a real one
 */
export function refuseDryRun(request: FastifyRequest): void {
  if (!isDryRun(request)) return;
  const message = 'is true, but a heartbeat cannot be tried; leave dry_run out to record the call';
  throw new Fault('bad_request', [{ field: 'dry_run', message }]);
}
