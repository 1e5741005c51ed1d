import type { FastifyInstance } from 'fastify';

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];

/**
 * A route constraint that tells browsers, where somebody opens the URL to read, from programs, which send an API key.
 * Routes with `toRead: true` are for browsers; without it, a route is for both.
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
