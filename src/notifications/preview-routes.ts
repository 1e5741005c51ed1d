import type { FastifyInstance } from 'fastify';
import type { Clock } from '../db/clock.ts';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import { composeApi } from '../pages/compose-api-contract.ts';
import type { Raiser } from '../pages/raise.ts';
import { viewerOf } from '../sessions/contract.ts';
import { type PreviewServices, previewPage } from './preview.ts';

/** Previews the people whom a page would reach, how and in what order. */
export function previewApiRoutes(
  api: FastifyInstance,
  services: PreviewServices & { clock: Clock; raiser: Raiser },
): void {
  const { db, clock, raiser } = services;
  route(api, composeApi.preview, async (request) => {
    const { organizationId } = viewerOf(request);
    const { kind, recipient, urgency = kind === 'person' ? 'high' : 'medium' } = request.body;
    try {
      const id = await raiser.targetOf(kind, organizationId, recipient);
      const at = await clock.now(db);
      const steps = await previewPage(services, organizationId, { kind, id }, urgency, at);
      return { refused: null, urgency, steps };
    } catch (error) {
      if (!(error instanceof Fault && error.code === 'bad_request')) throw error;
      return { refused: error.message, urgency, steps: [] };
    }
  });
}
