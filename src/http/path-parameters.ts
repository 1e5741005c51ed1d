import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** No name of anything holds U+0000, and the database refuses to look for one: a path with it leads nowhere. */
export function refuseNul(listener: FastifyInstance): void {
  // After the route's own first hooks: without a key it is still 401.
  listener.addHook('preValidation', async (request) => {
    const inPath = nameWithNul(request.params);
    if (inPath !== null)
      throw new Fault('not_found', [
        { field: inPath, message: 'has a NUL character (%00) in the path; leave it out' },
      ]);
    // Routes that collect every problem of their parameters find this one by their schema.
    if (request.routeOptions.attachValidation) return;
    const inQuery = nameWithNul(request.query);
    if (inQuery !== null) throw queryWithNul(inQuery);
  });
}

/** The first name that has a NUL character, or whose value has one. */
function nameWithNul(values: unknown): string | null {
  const found = Object.entries((values ?? {}) as Record<string, unknown>).find(([name, value]) =>
    `${name}${[value].flat().join('')}`.includes('\u0000'),
  );
  return found?.[0] ?? null;
}

/** A parameter may have no name at all (`?=%00`), or one that cannot be shown. */
function queryWithNul(name: string): Fault {
  const field = name === '' || name.includes('\u0000') ? 'query' : name;
  return new Fault('bad_request', [
    { field, message: 'has a NUL character (%00) in the query; leave it out' },
  ]);
}
