import { useQuery } from '@tanstack/react-query';
import { noticesQuery } from './queries.ts';

/** How many notices were not read yet; nothing when all were. */
export function InboxCount({ className }: { className?: string | undefined }) {
  const unread = useQuery(noticesQuery).data?.unread ?? 0;
  if (unread === 0) return null;
  return (
    <span className={`pill tone-info ${className ?? ''}`}>
      {unread}
      <span className="visually-hidden"> not read</span>
    </span>
  );
}
