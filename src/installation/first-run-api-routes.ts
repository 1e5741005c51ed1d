import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import type { Sealing } from '../kit/sealing.ts';
import { type ArrivalServices, arriveWith } from '../sessions/arrival.ts';
import { type Attempts, addressSubject } from '../sessions/attempts.ts';
import { hashPassword } from '../sessions/passwords/hashing.ts';
import { firstRunApi } from './api-contract.ts';
import { firstOwnerProblems, makeFirstOwner } from './first-run.ts';

export type FirstRunServices = ArrivalServices & { sealing: Sealing; attempts: Attempts };

/** POST /api/sign-in/first-run: makes the first owner of an empty installation and signs them in. */
export function firstRunApiRoutes(api: FastifyInstance, services: FirstRunServices): void {
  const { attempts, clock, sealing } = services;
  route(api, firstRunApi.create, async (request, reply) => {
    const owner = request.body;
    const problems = firstOwnerProblems(owner);
    if (problems.length > 0) throw new Fault('bad_request', problems);
    const subjects = [addressSubject('first run', request.ip)];
    await attempts.spend(subjects);
    const hash = owner.password === undefined ? null : await hashPassword(owner.password);
    return arriveWith(services, request, reply, (tx) => makeFirstOwner(tx, clock, sealing, owner, hash));
  });
}
