import { instantText } from '../kit/instant.ts';
import type { NoticeView } from './api-contract.ts';
import type { Told } from './inbox-store.ts';

export function presentNotice({ id, kind, subject, text, path, readAt, createdAt }: Told): NoticeView {
  return { id, kind, subject, text, path, read: readAt !== null, created_at: instantText(createdAt) };
}
