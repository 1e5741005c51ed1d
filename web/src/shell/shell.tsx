import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AlarmScreen } from '../alarm/alarm-screen.tsx';
import { reconcile, ring } from '../alarm/alarms.ts';
import { allowSound } from '../alarm/bell.ts';
import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';
import { type Alarm, connect, useConnection } from '../api/live.ts';
import { openPagesQuery, type Session } from '../api/queries.ts';
import { Bell, KeysIcon, NowIcon, PagesIcon, PersonIcon } from '../kit/icons.tsx';
import { tell } from '../kit/tell.ts';
import { Avatar } from '../people/avatar.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';

const LINKS = [
  { to: '/', label: 'Now', key: 'n', Icon: NowIcon },
  { to: '/pages', label: 'Pages', key: 'p', Icon: PagesIcon },
  { to: '/keys', label: 'API keys', key: 'k', Icon: KeysIcon },
] as const;

/** What surrounds every view: the ways between them, the live connection, and the alarm. */
export function Shell({ session }: { session: Session }) {
  const { data: open, dataUpdatedAt } = useQuery(openPagesQuery);
  const notifying = open?.pages.filter((page) => page.state === 'notifying').length ?? 0;
  useLive(session.user.id);
  useEffect(() => {
    if (open) reconcile(open.pages, session.user.id, dataUpdatedAt);
  }, [open, dataUpdatedAt, session.user.id]);
  const help = useNavigationKeys();

  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to the content
      </a>
      <div className={classes.shell}>
        <nav className={classes.side} aria-label="Main">
          <Link to="/" className={classes.brand}>
            <Bell />
            Tocsin
            <span className={classes.organization} title={session.organization.name}>
              {session.organization.name}
            </span>
          </Link>
          <Links notifying={notifying} />
          <span className={classes.spacer} />
          <button type="button" className={classes.link} onClick={help.open}>
            Keyboard{' '}
            <span className="kbd count" style={{ marginLeft: 'auto' }}>
              ?
            </span>
          </button>
          <Link to="/profile" className={classes.link}>
            <Avatar person={session.user} /> {session.user.name}
          </Link>
        </nav>
        <main className={classes.main} id="main" tabIndex={-1}>
          <ConnectionNotice />
          <Outlet />
        </main>
        <nav className={classes.bar} aria-label="Main, below">
          <Links notifying={notifying} icons />
          <Link to="/profile" className={classes.link}>
            <PersonIcon />
            You
          </Link>
        </nav>
      </div>
      <AlarmScreen />
      <Shortcuts opened={help.opened} close={help.close} />
    </>
  );
}

function Links({ notifying, icons = false }: { notifying: number; icons?: boolean }) {
  return LINKS.map(({ to, label, Icon }) => (
    <Link key={to} to={to} className={classes.link} activeOptions={{ exact: to === '/' }}>
      {icons && <Icon />}
      {label}
      {to === '/pages' && notifying > 0 && (
        <span className={`pill tone-alarm ${classes.count}`}>
          {notifying}
          <span className="visually-hidden"> notifying</span>
        </span>
      )}
    </Link>
  ));
}

/** Nobody must believe to be reachable here while they are not. */
function ConnectionNotice() {
  if (useConnection() !== 'lost') return null;
  return (
    <div className={classes.lost} role="status">
      <span className="dot" />
      Not connected: pages cannot reach this browser just now. Trying again …
    </div>
  );
}

function useLive(userId: string): void {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another person is another connection
  useEffect(() => {
    const silence = allowSound();
    const disconnect = connect(client, arrived);
    return () => {
      silence();
      disconnect();
    };
  }, [client, userId]);
}

function arrived(alarm: Alarm): void {
  if (alarm.type === 'page.expired') tell(`Nobody answered: ${alarm.title}`);
  else if (alarm.urgency === 'low') tell(`Page for you, not urgent: ${alarm.title}`);
  else ring(alarm);
}

function useNavigationKeys() {
  const navigate = useNavigate();
  const [opened, setOpened] = useState(false);
  const open = () => setOpened(true);
  useViewHotkeys([
    ...LINKS.map(({ to, key }) => [`alt+${key}`, () => void navigate({ to })] as [string, () => void]),
    ['shift+?', open],
  ]);
  return { opened, open, close: () => setOpened(false) };
}
