import type { FastifyInstance } from 'fastify';

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];

/**
 * Tells who opens an address in a browser, to read, from programs, which send a key. Routes with the constraint
 * `toRead: true` are for the former; without one, both get the same.
 */
export const toRead: Strategy = {
  name: 'toRead',
  deriveConstraint: ({ headers }) =>
    (headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '')) || undefined,
  storage() {
    const handlers = new Map();
    return {
      get: (value) => handlers.get(value) ?? null,
      set: (value, handler) => void handlers.set(value, handler),
    };
  },
};
