import { type Static, Type } from 'typebox';

/** A notice as the dashboard shows it. */
export const NoticeView = Type.Object({
  id: Type.Integer(),
  kind: Type.String(),
  subject: Type.String(),
  text: Type.String(),
  /** A path of the dashboard. */
  path: Type.Union([Type.String(), Type.Null()]),
  read: Type.Boolean(),
  created_at: Type.String(),
});
export type NoticeView = Static<typeof NoticeView>;

/** The latest 50 notices, and how many of them are unread. */
export const NoticeList = Type.Object({ notices: Type.Array(NoticeView), unread: Type.Integer() });
export type NoticeList = Static<typeof NoticeList>;

/** Marks every notice up to this one as read. */
export const ReadBody = Type.Object({
  up_to: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
export type ReadBody = Static<typeof ReadBody>;
