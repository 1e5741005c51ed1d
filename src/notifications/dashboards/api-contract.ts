import { Type } from 'typebox';
import { endpoint } from '../../kit/endpoint-contract.ts';

/** The live connection of an open dashboard. */

export const dashboardsApi = {
  events: endpoint('GET /api/events', {
    summary: 'Follow what happens, as server-sent events',
    response: Type.String(),
    produces: 'text/event-stream',
  }),
  heard: endpoint('POST /api/events/:id/heard', {
    summary: 'Answer a beat of the connection',
    params: Type.Object({ id: Type.String({ maxLength: 100, pattern: '^stream_[0-9a-f]{32}$' }) }),
    response: Type.Object({}),
  }),
  confirm: endpoint('POST /api/deliveries/:id/confirm', {
    summary: 'Confirm that a dashboard has shown a notification',
    params: Type.Object({ id: Type.String({ maxLength: 100, pattern: '^delivery_[0-9a-z]{26}$' }) }),
    response: Type.Object({ confirmed: Type.Boolean() }),
  }),
};
