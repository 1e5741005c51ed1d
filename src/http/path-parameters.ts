import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** Answers paths with U+0000 with 404: no id can hold it, and the database refuses it in a query. */
export function refuseNul(listener: FastifyInstance): void {
  // Runs after authentication, so that requests without a key are still answered with 401.
  listener.addHook('preValidation', async (request) => {
    const inPath = nameWithNul(request.params);
    if (inPath !== null)
      throw new Fault('not_found', [
        { field: inPath, message: 'has a NUL character (%00) in the path; leave it out' },
      ]);
    // Routes that report all problems with their parameters at once find this one through their schema.
    if (request.routeOptions.attachValidation) return;
    const inQuery = nameWithNul(request.query);
    if (inQuery !== null) throw queryWithNul(inQuery);
  });
}

/** The name of the first parameter whose name or value has a NUL character. */
function nameWithNul(values: unknown): string | null {
  const found = Object.entries((values ?? {}) as Record<string, unknown>).find(([name, value]) =>
    `${name}${[value].flat().join('')}`.includes('\u0000'),
  );
  return found?.[0] ?? null;
}

/** A parameter may have an empty name (`?=%00`), or one that cannot be shown. */
function queryWithNul(name: string): Fault {
  const field = name === '' || name.includes('\u0000') ? 'query' : name;
  return new Fault('bad_request', [
    { field, message: 'has a NUL character (%00) in the query; leave it out' },
  ]);
}
