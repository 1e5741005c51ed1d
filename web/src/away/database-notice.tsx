import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react';
import type { LifeboatNotice } from '../../../src/lifeboat/contract.ts';
import { sessionQuery } from '../api/queries.ts';
import { t } from '../language/t.ts';
import { useDatabaseAway } from './database-away.ts';
import { useLifeboat } from './lifeboat.ts';

/** Loaded when a lifeboat is afloat or lands. Without it, the rest of the notice is still shown. */
const LifeboatWords = lazy<ComponentType<{ copiedAt: string | null }>>(() =>
  import('./lifeboat-words.tsx').then(
    (module) => ({ default: module.LifeboatWords }),
    () => ({ default: () => null }),
  ),
);

/** A database that is back within this time is not reported as away. */
const BLINK_MS = 3_000;
/** How often the service is asked whether its database is back, and whether lifeboats have landed. */
const LOOK_MS = 5_000;
const LOOK_WHILE_LANDING_MS = 2_000;

/** Warns that the database is away, with a link to the saved on-call list, and says what a lifeboat does meanwhile. */
export function DatabaseNotice({ className }: { className: string | undefined }) {
  const away = useDatabaseAway();
  const lifeboat = useLifeboat();
  const client = useQueryClient();
  const [lasting, setLasting] = useState(false);
  const landing = !away && lifeboat !== null;
  useEffect(() => {
    if (!away) setLasting(false);
    if (!away && !landing) return;
    const timer = setTimeout(() => setLasting(away), BLINK_MS);
    const every = away ? LOOK_MS : LOOK_WHILE_LANDING_MS;
    const look = setInterval(() => void client.refetchQueries({ queryKey: sessionQuery.queryKey }), every);
    return () => {
      clearTimeout(timer);
      clearInterval(look);
    };
  }, [away, landing, client]);
  if (!lasting && !landing) return null;
  return (
    <div className={className} role="status">
      <span className="dot" />
      {lasting ? <Away lifeboat={lifeboat} /> : <Words copiedAt={null} />}
    </div>
  );
}

function Away({ lifeboat }: { lifeboat: LifeboatNotice | null }) {
  return (
    <span>
      {t('The database is not reachable: what you see may be out of date, and changes are not stored.')}{' '}
      {lifeboat?.copiedAt && <Words copiedAt={lifeboat.copiedAt} />}
      <Link to="/saved-on-call" style={{ color: 'inherit', textDecoration: 'underline' }}>
        {t('Show the saved on-call list')}
      </Link>
    </span>
  );
}

function Words({ copiedAt }: { copiedAt: string | null }) {
  return (
    <Suspense>
      <LifeboatWords copiedAt={copiedAt} />
    </Suspense>
  );
}
