import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { idOf } from '../../kit/path-id.ts';
import { viewerOf } from '../../sessions/contract.ts';
import {
  ByBody,
  CodeBody,
  MethodChangeBody,
  type MethodList,
  MethodOrderBody,
  NewMethodBody,
} from '../contact-contract.ts';
import { hasOpenDashboard } from '../reach-store.ts';
import { addMethod, type MethodServices, sendCode, sendTest, verifyMethod } from './actions.ts';
import { changeMethod, removeMethod, renewSecret, reorderMethods } from './changes.ts';
import { presentMethods } from './present.ts';
import { listMethods, type Owner } from './store.ts';

const Params = Type.Object({ id: Type.String({ maxLength: 100 }) });

/** The viewer's own contact methods. Nobody adds, proves or removes those of others. */
export function methodApiRoutes(api: FastifyInstance, services: MethodServices): void {
  const { db, courier } = services;
  const list = async ({ organizationId, userId }: Owner): Promise<MethodList> =>
    presentMethods(
      await listMethods(db, organizationId, [userId]),
      courier.means,
      await hasOpenDashboard(db, userId),
    );
  const hidden = { hide: true } as const;
  const one = { schema: { ...hidden, params: Params } };

  api.get('/contact-methods', { schema: hidden }, (request) => list(viewerOf(request)));

  api.post('/contact-methods', { schema: { ...hidden, body: NewMethodBody } }, async (request, reply) => {
    const added = await addMethod(services, viewerOf(request), request.body as NewMethodBody);
    return reply.code(201).send(added);
  });

  api.put('/contact-methods/order', { schema: { ...hidden, body: MethodOrderBody } }, async (request) => {
    await reorderMethods(services, viewerOf(request), (request.body as MethodOrderBody).ids);
    return list(viewerOf(request));
  });

  api.patch(
    '/contact-methods/:id',
    { schema: { ...one.schema, body: MethodChangeBody } },
    async (request) => {
      await changeMethod(services, viewerOf(request), idOf(request), request.body as MethodChangeBody);
      return list(viewerOf(request));
    },
  );

  api.delete('/contact-methods/:id', one, async (request) => {
    await removeMethod(services, viewerOf(request), idOf(request));
    return list(viewerOf(request));
  });

  api.post('/contact-methods/:id/code', { schema: { ...one.schema, body: ByBody } }, async (request) =>
    sendCode(services, viewerOf(request), idOf(request), (request.body as ByBody).by),
  );

  api.post('/contact-methods/:id/verify', { schema: { ...one.schema, body: CodeBody } }, async (request) => {
    await verifyMethod(services, viewerOf(request), idOf(request), (request.body as CodeBody).code);
    return list(viewerOf(request));
  });

  api.post('/contact-methods/:id/test', { schema: { ...one.schema, body: ByBody } }, async (request) =>
    sendTest(services, viewerOf(request), idOf(request), (request.body as ByBody).by),
  );

  api.post('/contact-methods/:id/secret', one, async (request) => ({
    signing_secret: await renewSecret(services, viewerOf(request), idOf(request)),
  }));
}
