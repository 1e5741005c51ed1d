import type { FastifyInstance } from 'fastify';
import { Fault } from '../../kit/fault.ts';
import { route } from '../../kit/route.ts';
import { t } from '../../language/contract.ts';
import { viewerOf } from '../../sessions/contract.ts';
import { onCallApi } from '../api-contract.ts';
import type { SavedLists } from './keeper.ts';
import { partOf } from './list.ts';

/**
 * GET /api/saved-on-call: the on-call list of the viewer's organization, which also works while the database is away.
 */
export function savedOnCallRoutes(
  api: FastifyInstance,
  { savedLists }: { savedLists: Pick<SavedLists, 'current'> },
): void {
  route(api, onCallApi.saved, async (request) => {
    const list = savedLists.current();
    if (list) return partOf(list, viewerOf(request).organizationId);
    throw new Fault('not_found', [
      {
        field: 'list',
        message: t('has not been saved on this node yet; it is saved within a minute of the start'),
      },
    ]);
  });
}
