import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { LifeboatNotice } from '../../../src/lifeboat/contract.ts';
import { sessionQuery } from '../api/queries.ts';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { useDatabaseAway } from './database-away.ts';
import { useLifeboat } from './lifeboat.ts';

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
      {lasting ? <Away lifeboat={lifeboat} /> : <Landing />}
    </div>
  );
}

function Away({ lifeboat }: { lifeboat: LifeboatNotice | null }) {
  return (
    <span>
      {t('The database is not reachable: what you see may be out of date, and changes are not stored.')}{' '}
      <LifeboatWords lifeboat={lifeboat} />
      <Link to="/saved-on-call" style={{ color: 'inherit', textDecoration: 'underline' }}>
        {t('Show the saved on-call list')}
      </Link>
    </span>
  );
}

/** What still works while a lifeboat is afloat, and with which people. */
export function LifeboatWords({ lifeboat }: { lifeboat: LifeboatNotice | null }) {
  const now = useNow(15_000);
  if (lifeboat?.state !== 'afloat') return null;
  return (
    <>
      {t(
        'Pages from programs and page sources still work: a lifeboat accepts them, notifies and escalates, with the people and shifts of {time}. These pages do not appear here, and this screen does not ring: acknowledge with the link in a notification, or by phone, SMS or Slack.',
        { time: shortTime(lifeboat.copiedAt, now) },
      )}{' '}
    </>
  );
}

function Landing() {
  return (
    <span>
      {t(
        'The database is back, and lifeboats bring their pages to it. Until they have, pages may be missing here, and the others escalate a moment later.',
      )}
    </span>
  );
}
