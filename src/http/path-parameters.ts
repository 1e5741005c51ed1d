import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';

/** No name of anything holds U+0000, and the database refuses to look for one. */
export function refuseNul(listener: FastifyInstance): void {
  // After the route's own first hooks: without a key it is still 401.
  listener.addHook('preValidation', async ({ params, query }) => {
    for (const [where, values] of [
      ['path', params],
      ['query', query],
    ] as const)
      for (const [name, value] of Object.entries((values ?? {}) as Record<string, unknown>))
        if (`${name}${[value].flat().join('')}`.includes('\u0000')) throw hasNul(where, name);
  });
}

function hasNul(where: 'path' | 'query', name: string): Fault {
  const field = name.includes('\u0000') ? where : name;
  return new Fault('bad_request', [
    { field, message: `has a NUL character (%00) in the ${where}; leave it out` },
  ]);
}
