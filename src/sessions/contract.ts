import type { FastifyRequest } from 'fastify';
import { Fault } from '../kit/fault.ts';
import type { Role } from '../people/contract.ts';

/** Where a one-time sign-in link leads. */
export function signInPath(token: string): string {
  return `/sign-in/${token}`;
}

/** The user of the dashboard's API: a person in a browser, or a program with that person's API key. */
export type Viewer = {
  organizationId: string;
  userId: string;
  role: Role;
  /** The session or key that authenticated them. Open connections check regularly that it is still valid. */
  authentication: Authentication;
};
export type Authentication = { kind: 'session'; hash: string } | { kind: 'key'; id: string };

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `requireSession`; handlers read it through `viewerOf`. */
    viewer: Viewer | null;
  }
}

export function viewerOf(request: FastifyRequest): Viewer {
  if (!request.viewer) throw new Fault('unauthorized');
  return request.viewer;
}
