import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { Confirming } from '../account/confirming.tsx';
import { AlarmScreen } from '../alarm/alarm-screen.tsx';
import { reconcile, ring, useAlarms, waitingFor } from '../alarm/alarms.ts';
import { allowSound } from '../alarm/bell.ts';
import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';
import { type Alarm, connect, useConnection } from '../api/live.ts';
import { openPagesQuery, problemsQuery } from '../api/queries.ts';
import { DatabaseNotice } from '../away/database-notice.tsx';
import { InboxCount } from '../inbox/inbox-count.tsx';
import { showNotice } from '../inbox/notice-toast.tsx';
import { Bell, InboxIcon, KeyboardIcon } from '../kit/icons.tsx';
import { showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { useBadge } from '../offline/use-badge.ts';
import { useKeeping } from '../offline/use-keeping.ts';
import { FindButton } from '../search/find-button.tsx';
import { MorePlaces } from './more-places.tsx';
import { OWN_PLACES, PLACES, type Place } from './navigation.ts';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { useArrival } from './use-arrival.ts';
import { useFocusBack } from './use-focus-back.ts';
import { useRowKeys } from './use-row-keys.ts';
import { useTitle } from './use-title.ts';
import { UserMenu } from './user-menu.tsx';

/** A connection that is back within this time is not reported as lost. */
const BLINK_MS = 1_500;

/** The frame of every view: navigation, the live connection, and the alarm. */
export function Shell({ session }: { session: Session }) {
  const { data: open, dataUpdatedAt } = useQuery(openPagesQuery);
  const unanswered = open?.pages.filter((page) => page.unanswered).length ?? 0;
  const notifying = open?.pages.filter((page) => page.state === 'notifying').length ?? 0;
  const waiting = notifying + unanswered;
  useLive(session.user.id);
  useKeeping(session);
  useBadge(waitingFor(open?.pages ?? [], session.user.id));
  useEffect(() => {
    if (open) reconcile(open.pages, session.user.id, dataUpdatedAt);
  }, [open, dataUpdatedAt, session.user.id]);
  const help = useNavigationKeys();
  useTitle({ ringing: useAlarms().length, unanswered }, useConnection());
  useArrival();
  useFocusBack();
  useRowKeys();

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
          <Links places={PLACES} waiting={waiting} />
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
          <ConnectionNotice />
          <DatabaseNotice className={classes.lost} />
          <Outlet />
        </main>
        <nav className={classes.bar} aria-label={t('Main, below')}>
          <Links places={PLACES.filter(({ bar }) => bar)} waiting={waiting} />
          <MorePlaces />
        </nav>
      </div>
      <AlarmScreen />
      <Confirming />
      <Shortcuts opened={help.opened} close={help.close} />
    </>
  );
}

/** `waiting`: the number of pages that notify or that nobody answered. */
function Links({ places, waiting }: { places: readonly Place[]; waiting: number }) {
  return places.map(({ to, label, Icon }) => (
    <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === '/' }}>
      <Icon />
      {label}
      {to === '/problems' && <ProblemCount />}
      {to === '/pages' && waiting > 0 && (
        <span className={`pill tone-alarm ${classes.count}`}>
          {waiting}
          <span className="visually-hidden"> {t('without an answer')}</span>
        </span>
      )}
    </Link>
  ));
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

function useLive(userId: string): void {
  const client = useQueryClient();
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person needs another connection
  useEffect(() => {
    const silence = allowSound();
    const disconnect = connect(client, {
      page: arrived,
      notice: (notice) => showNotice(notice, (href) => void navigate({ href })),
    });
    return () => {
      silence();
      disconnect();
    };
  }, [client, userId]);
}

function arrived(alarm: Alarm): void {
  if (alarm.type === 'page.expired') showToast(t('Nobody answered: {title}', { title: alarm.title }));
  else if (alarm.urgency === 'low') showToast(t('Page for you, not urgent: {title}', { title: alarm.title }));
  else ring(alarm);
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
