import type { FastifyInstance } from 'fastify';
import { route } from '../../kit/route.ts';
import { viewerOf } from '../../sessions/contract.ts';
import { type MethodList, methodsApi } from '../contact-contract.ts';
import { hasOpenDashboard, listMethods, type Owner } from '../contact-store.ts';
import { addMethod, type MethodServices, sendCode, sendTest, verifyMethod } from './actions.ts';
import { changeMethod, removeMethod, renewSecret, reorderMethods } from './changes.ts';
import { presentMethods } from './present.ts';

/** The viewer's own contact methods. Nobody can add, verify or remove those of others. */
export function methodApiRoutes(api: FastifyInstance, services: MethodServices): void {
  const { db, courier } = services;
  const list = async ({ organizationId, userId }: Owner): Promise<MethodList> =>
    presentMethods(
      await listMethods(db, organizationId, [userId]),
      courier.means,
      await hasOpenDashboard(db, userId),
    );

  route(api, methodsApi.list, (request) => list(viewerOf(request)));

  route(api, methodsApi.add, async (request, reply) => {
    const added = await addMethod(services, viewerOf(request), request.body);
    return reply.code(201).send(added);
  });

  route(api, methodsApi.reorder, async (request) => {
    await reorderMethods(services, viewerOf(request), request.body.ids);
    return list(viewerOf(request));
  });

  route(api, methodsApi.change, async (request) => {
    await changeMethod(services, viewerOf(request), request.params.id, request.body);
    return list(viewerOf(request));
  });

  route(api, methodsApi.remove, async (request) => {
    await removeMethod(services, viewerOf(request), request.params.id);
    return list(viewerOf(request));
  });

  route(api, methodsApi.sendCode, async (request) =>
    sendCode(services, viewerOf(request), request.params.id, request.body.by),
  );

  route(api, methodsApi.verify, async (request) => {
    await verifyMethod(services, viewerOf(request), request.params.id, request.body.code);
    return list(viewerOf(request));
  });

  route(api, methodsApi.sendTest, async (request) =>
    sendTest(services, viewerOf(request), request.params.id, request.body.by),
  );

  route(api, methodsApi.renewSecret, async (request) => ({
    signing_secret: await renewSecret(services, viewerOf(request), request.params.id),
  }));
}
