import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useDatabaseAway } from './database-away.ts';

/** A database that is back within this time is not reported as away. */
const BLINK_MS = 3_000;
/** How often the service is asked whether its database is back. */
const LOOK_MS = 5_000;

/** Warns that the database is away, with a link to the saved on-call list. */
export function DatabaseNotice({ className }: { className: string | undefined }) {
  const away = useDatabaseAway();
  const client = useQueryClient();
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!away) {
      setLasting(false);
      return;
    }
    const timer = setTimeout(() => setLasting(true), BLINK_MS);
    const look = setInterval(() => void client.refetchQueries({ queryKey: sessionQuery.queryKey }), LOOK_MS);
    return () => {
      clearTimeout(timer);
      clearInterval(look);
    };
  }, [away, client]);
  if (!lasting) return null;
  return (
    <div className={className} role="status">
      <span className="dot" />
      <span>
        The database is not reachable: what you see may be out of date, and changes are not stored.{' '}
        <Link to="/saved-on-call" style={{ color: 'inherit', textDecoration: 'underline' }}>
          Show the saved on-call list
        </Link>
      </span>
    </div>
  );
}
