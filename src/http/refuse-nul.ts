import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { t } from '../language/contract.ts';

/**
 * Refuses U+0000, which PostgreSQL cannot store or search for, in paths and queries. Paths are answered with 404,
 * because no id contains it, and queries with 400.
 */
export function refuseNul(listener: FastifyInstance): void {
  // Runs after authentication, so that requests without a key are still answered with 401.
  listener.addHook('preValidation', (request, _reply, done) => {
    const inPath = nameWithNul(request.params);
    if (inPath !== null)
      throw new Fault('not_found', [
        { field: inPath, message: t('has a NUL character (%00) in the path; leave it out') },
      ]);
    // Routes that report all problems with their parameters at once find this one through their schema.
    const inQuery = request.routeOptions.attachValidation ? null : nameWithNul(request.query);
    if (inQuery !== null) throw queryWithNul(inQuery);
    done();
  });
}

/**
 * Refuses bodies with U+0000 with 400. This is for the dashboard's API: the public one ignores unknown fields, and its
 * schemas check the known ones.
 */
export function refuseNulInBodies(api: FastifyInstance): void {
  // Runs after the schema has named its own problems; the texts of many fields have no format.
  api.addHook('preHandler', async ({ body }) => {
    // Files that are sent as text report the line themselves.
    const inBody = typeof body === 'object' ? fieldWithNul(body, '') : null;
    if (inBody !== null)
      throw new Fault('bad_request', [
        { field: inBody || 'body', message: t('has a NUL character (U+0000); leave it out') },
      ]);
  });
}

/**
 * The path of the first text with a NUL character, such as `stages[0].name`. A field whose own name has one is reported
 * by its parent.
 */
function fieldWithNul(value: unknown, path: string): string | null {
  if (typeof value === 'string') return value.includes('\u0000') ? path : null;
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return null;
  const isList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) {
    if (name.includes('\u0000')) return path;
    const field = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    const found = fieldWithNul(inner, field);
    if (found !== null) return found;
  }
  return null;
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
    { field, message: t('has a NUL character (%00) in the query; leave it out') },
  ]);
}
