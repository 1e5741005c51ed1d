import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** No name of anything holds U+0000, and the database refuses to look for one: such a path leads nowhere. */
export function refuseNulInPaths(listener: FastifyInstance): void {
  // After the route's own first hooks: without a key it is still 401.
  listener.addHook('preValidation', async (request) => {
    const parameters = Object.entries(request.params as Record<string, string>);
    const wrong = parameters.find(([, value]) => value.includes('\u0000'));
    if (wrong)
      throw new Fault('not_found', [
        { field: wrong[0], message: 'has a NUL character; nothing has such a name' },
      ]);
  });
}
