import { Button, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import { type ContactMethod, contactMethodsQuery, sessionQuery } from '../api/queries.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { tell, tellFailure } from '../kit/tell.ts';
import { Avatar } from '../people/avatar.tsx';
import { type PushState, pushState, switchPushOff, switchPushOn } from './push.ts';

/** The viewer: this device, the ways to reach them, how it looks, signing out. */
export function ProfileView() {
  const session = useQuery(sessionQuery).data;
  if (!session) return null;
  const { user, organization, teams } = session;
  return (
    <div className="view" style={{ maxWidth: 760 }}>
      <header className="row wrap">
        <Avatar person={user} size={44} />
        <div className="grow">
          <h1>{user.name}</h1>
          <span className="muted">
            {user.email} · {user.role} of {organization.name}
            {teams.length > 0 && ` · ${teams.map(({ name }) => name).join(', ')}`}
          </span>
        </div>
        <SignOut />
      </header>
      <PushCard />
      <Methods />
      <Look />
      <p className="faint">
        Tocsin {session.version} · <a href="/docs">API reference</a>
      </p>
    </div>
  );
}

const PUSH_WORDS: Record<PushState, string> = {
  on: 'Pages show up on this device, also when it is locked or this dashboard is closed.',
  off: 'Switch it on, and pages show up on this device although the dashboard is closed. On a phone, add the dashboard to the home screen first.',
  blocked: 'The browser blocks notifications of this site; allow them in its settings, then come back.',
  unsupported:
    'This browser cannot show pushed pages here. On an iPhone, add the dashboard to the home screen and open it from there; elsewhere, HTTPS is needed.',
};

function PushCard() {
  const client = useQueryClient();
  const { data: state } = useQuery({ queryKey: ['push'], queryFn: pushState, staleTime: 0 });
  const change = useMutation({
    mutationFn: (on: boolean) => (on ? switchPushOn() : switchPushOff()),
    onSuccess: (_, on) =>
      tell(on ? 'This device shows pages now.' : 'This device shows no pushed pages any more.'),
    onError: tellFailure,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['push'] }),
        client.invalidateQueries({ queryKey: ['contact-methods'] }),
      ]),
  });
  if (!state) return null;
  return (
    <section className="stack" aria-label="This device">
      <h2>This device</h2>
      <div className="card pad row wrap">
        <div className="grow" style={{ minWidth: 240 }}>
          <b>Push</b> {state === 'on' && <Pill tone="calm">on</Pill>}
          <div className="muted">{PUSH_WORDS[state]}</div>
        </div>
        {state === 'off' && (
          <Button loading={change.isPending} onClick={() => change.mutate(true)}>
            Switch on
          </Button>
        )}
        {state === 'on' && (
          <Button variant="default" loading={change.isPending} onClick={() => change.mutate(false)}>
            Switch off
          </Button>
        )}
      </div>
    </section>
  );
}

const TYPE_NAMES: Record<ContactMethod['type'], string> = {
  phone: 'Phone',
  email: 'Email',
  chat: 'Chat',
  webhook: 'Webhook',
  push: 'Push',
};

function Methods() {
  const { data, error, refetch } = useQuery(contactMethodsQuery);
  return (
    <section className="stack" aria-label="How you are reached">
      <h2>How you are reached</h2>
      {!data && (error ? <Failed error={error} again={() => void refetch()} /> : <Loading rows={1} />)}
      {data?.contact_methods.length === 0 && (
        <Empty>
          Only this dashboard reaches you, while it is open. Switch push on, or ask whoever runs the service
          to add a phone or an email address.
        </Empty>
      )}
      {data && data.contact_methods.length > 0 && (
        <div className="card lines">
          {data.contact_methods.map(({ id, type, value, verified }) => (
            <div className="line" key={id}>
              <span className="muted" style={{ width: 72, flex: 'none' }}>
                {TYPE_NAMES[type]}
              </span>
              <span className="grow mono" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </span>
              <Pill tone={verified ? 'calm' : 'watch'}>{verified ? 'verified' : 'not verified'}</Pill>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

function Look() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <section className="stack" aria-label="Look">
      <h2>Look</h2>
      <div className="card pad row wrap">
        <span className="grow muted">
          Without a choice of yours it is dark by night, and follows the device by day.
        </span>
        <SegmentedControl
          aria-label="Colours"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as 'auto' | 'light' | 'dark')}
          data={[
            { value: 'auto', label: 'Device' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
        />
      </div>
    </section>
  );
}

function SignOut() {
  const signOut = useMutation({
    mutationFn: () => call('DELETE', '/api/session'),
    // Nothing of the person may stay in memory.
    onSuccess: () => window.location.assign('/'),
    onError: tellFailure,
  });
  return (
    <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  );
}
