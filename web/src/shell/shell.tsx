import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Confirming } from '../account/confirming.tsx';
import { AlarmScreen } from '../alarm/alarm-screen.tsx';
import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';
import { useConnection } from '../api/live.ts';
import { openPagesQuery, problemsQuery, type ShownSession } from '../api/queries.ts';
import { DatabaseNotice } from '../away/database-notice.tsx';
import { InboxCount } from '../inbox/inbox-count.tsx';
import { Bell, InboxIcon, KeyboardIcon } from '../kit/icons.tsx';
import { useLater } from '../kit/later.tsx';
import { t } from '../language/t.ts';
import { FindButton } from '../search/find-button.tsx';
import { Background } from './background.tsx';
import { MorePlaces } from './more-places.tsx';
import { OWN_PLACES, PLACES, type Place } from './navigation.ts';
import classes from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

const Shortcuts = lazy(() => import('./shortcuts.tsx').then((module) => ({ default: module.Shortcuts })));

/** A connection that is back within this time is not reported as lost. */
const BLINK_MS = 1_500;

/** The frame of every view: navigation, the live connection, and the alarm. */
export function Shell({ session }: { session: ShownSession }) {
  const help = useNavigationKeys();
  const later = useLater();
  const { ended } = session;

  return (
    <>
      <a className={classes.skip} href="#main">
        {t('Skip to the content')}
      </a>
      <div className={classes.shell}>
        <nav className={classes.side} aria-label={t('Main')}>
          <Link to="/" className={classes.brand}>
            <Bell />
            <span className={classes.names}>
              Tocsin
              <span className={classes.organization} title={session.organization.name}>
                {session.organization.name}
              </span>
            </span>
          </Link>
          <Links places={PLACES} />
          <span className={classes.spacer} />
          <Link to="/inbox" className={classes.link}>
            <InboxIcon />
            {t('Inbox')}
            <InboxCount className={classes.count} />
          </Link>
          <FindButton />
          <button type="button" className={classes.link} onClick={help.open}>
            <KeyboardIcon />
            {t('Keyboard')}
            <span className="kbd count" style={{ marginLeft: 'auto' }}>
              ?
            </span>
          </button>
          <UserMenu user={session.user} />
        </nav>
        <main className={classes.main} id="main" tabIndex={-1}>
          {ended ? <ended.Notice className={classes.lost} /> : <ConnectionNotice />}
          <DatabaseNotice className={classes.lost} />
          <Outlet />
        </main>
        <nav className={classes.bar} aria-label={t('Main, below')}>
          <Links places={PLACES.filter(({ bar }) => bar)} />
          <MorePlaces />
        </nav>
      </div>
      {!ended && (
        <>
          <Background session={session} />
          <AlarmScreen />
        </>
      )}
      <Confirming />
      <Suspense>{(later || help.opened) && <Shortcuts opened={help.opened} close={help.close} />}</Suspense>
    </>
  );
}

function Links({ places }: { places: readonly Place[] }) {
  return places.map(({ to, label, Icon }) => (
    <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === '/' }}>
      <Icon />
      {label}
      {to === '/problems' && <ProblemCount />}
      {to === '/pages' && <WaitingCount />}
    </Link>
  ));
}

/** The number of pages that notify or that nobody answered. */
function WaitingCount() {
  const open = useQuery(openPagesQuery).data?.pages ?? [];
  const waiting = open.filter(({ state, unanswered }) => state === 'notifying' || unanswered).length;
  if (waiting === 0) return null;
  return (
    <span className={`pill tone-alarm ${classes.count}`}>
      {waiting}
      <span className="visually-hidden"> {t('without an answer')}</span>
    </span>
  );
}

function ProblemCount() {
  const count = useQuery(problemsQuery).data?.problems.length ?? 0;
  if (count === 0) return null;
  return (
    <span className={`pill tone-watch ${classes.count}`}>
      {count}
      <span className="visually-hidden"> {t('open')}</span>
    </span>
  );
}

/** Warns that pages do not reach this browser while the connection is lost. */
function ConnectionNotice() {
  const connection = useConnection();
  const lost = connection === 'lost';
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!lost) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), BLINK_MS);
    return () => clearTimeout(timer);
  }, [lost]);
  if (!lasting && connection !== 'silent') return null;
  return (
    <div className={classes.lost} role="status">
      <span className="dot" />
      {connection === 'silent'
        ? t(
            'The server has gone silent: pages cannot reach this browser, and what you see may be out of date. Connecting again …',
          )
        : t('Not connected: pages cannot reach this browser just now. Trying again …')}
    </div>
  );
}

function useNavigationKeys() {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  useViewHotkeys([
    ...[...PLACES, ...OWN_PLACES].map(
      ({ to, key }) => [`alt+${key}`, () => void navigate({ to })] as [string, () => void],
    ),
    ['shift+?', open],
    ['p', () => void navigate({ to: '/pages/new' })],
  ]);
  return { opened, open, close: () => setOpened(false) };
}
