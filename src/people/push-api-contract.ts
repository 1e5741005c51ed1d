import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';

/** The dashboard's API with which a browser subscribes to pages. */

export const PushSubscriptionBody = Type.Object({
  endpoint: Type.String({ format: 'http-url' }),
  keys: Type.Object({
    p256dh: Type.String({ minLength: 1, maxLength: 200 }),
    auth: Type.String({ minLength: 1, maxLength: 100 }),
  }),
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>;

export const pushApi = {
  key: endpoint('GET /api/push/key', {
    summary: 'Show the public key for push',
    response: Type.Object({ key: Type.String({ description: 'Returns the key in URL-safe base64.' }) }),
  }),
  subscribe: endpoint('POST /api/push/subscriptions', {
    summary: 'Send pages to this browser',
    body: PushSubscriptionBody,
    response: Type.Object({ id: Type.String() }),
  }),
  unsubscribe: endpoint('DELETE /api/push/subscriptions', {
    summary: 'Stop sending pages to this browser',
    body: Type.Object({ endpoint: Type.String({ format: 'http-url' }) }),
    response: Type.Object({ removed: Type.Boolean() }),
  }),
};
