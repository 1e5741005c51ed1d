import type { FastifyInstance } from 'fastify';
import { isOpenedByPerson } from '../kit/opened-by-person.ts';

type Strategy = Parameters<FastifyInstance['addConstraintStrategy']>[0];

/**
 * A route constraint that distinguishes browsers, in which a person opens the URL, from programs, which send an API
 * key. Routes with `toRead: true` are for browsers; without it, a route is for both.
 */
export const toRead: Strategy = {
  name: 'toRead',
  deriveConstraint: (request) => isOpenedByPerson(request) || undefined,
  storage() {
    const handlers = new Map();
    return {
      get: (value) => handlers.get(value) ?? null,
      set: (value, handler) => void handlers.set(value, handler),
    };
  },
};
