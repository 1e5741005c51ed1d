import { type Static, Type } from 'typebox';

/** What a person was told, as the dashboard shows it. */
export const NoticeView = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  /** Of the dashboard. */
  path: Type.Union([Type.String(), Type.Null()]),
  read: Type.Boolean(),
  created_at: Type.String(),
});
export type NoticeView = Static<typeof NoticeView>;

/** The latest 50, and how many of them were not read. */
export const NoticeList = Type.Object({ notices: Type.Array(NoticeView), unread: Type.Integer() });
export type NoticeList = Static<typeof NoticeList>;

/** Everything up to this notice was read. */
export const ReadBody = Type.Object({
  up_to: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
export type ReadBody = Static<typeof ReadBody>;
