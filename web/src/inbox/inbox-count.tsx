import { useQuery } from '@tanstack/react-query';
import { t } from '../language/t.ts';
import { noticesQuery } from './queries.ts';

/** The number of unread notices; nothing when there are none. */
export function InboxCount({ className }: { className?: string | undefined }) {
  const unread = useQuery(noticesQuery).data?.unread ?? 0;
  if (unread === 0) return null;
  return (
    <span className={`pill tone-info ${className ?? ''}`}>
      {unread}
      <span className="visually-hidden"> {t('not read')}</span>
    </span>
  );
}
