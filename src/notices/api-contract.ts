import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';

/** A notice as the dashboard shows it. */
export const NoticeView = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  path: Type.Union([Type.String(), Type.Null()], {
    description: 'The path in the dashboard that the notice is about.',
  }),
  read: Type.Boolean(),
  created_at: Type.String(TIME),
});
export type NoticeView = Static<typeof NoticeView>;

export const noticesApi = {
  list: endpoint('GET /api/notices', {
    summary: 'List your latest 50 notices',
    response: Type.Object({ notices: Type.Array(NoticeView), unread: Type.Integer() }),
  }),
  markRead: endpoint('POST /api/notices/read', {
    summary: 'Mark notices as read',
    description: 'The ID of the last notice to mark.',
    body: Type.Object({ up_to: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    response: Type.Object({ unread: Type.Integer() }),
  }),
};
