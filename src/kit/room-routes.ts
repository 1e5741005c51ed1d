import type { FastifyInstance } from 'fastify';

/** The routes of one room, grouped by their callers. */
export type RoomRoutes = {
  /** The public API, URLs of senders, callbacks and links in messages: each route checks its own caller. */
  root?(listener: FastifyInstance): void;
  /** Below `/api`, without a session: to sign in and to set up the installation. */
  open?(api: FastifyInstance): void;
  /** Below `/api`, for people who are signed in and for API keys with full access. */
  api?(api: FastifyInstance): void;
};
