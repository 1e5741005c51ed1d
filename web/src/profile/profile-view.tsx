import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { sessionQuery } from '../api/queries.ts';
import { areReady } from '../kit/ready.ts';
import { Loading } from '../kit/states.tsx';
import { zoneName } from '../kit/time.ts';
import { commas, t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import { roleName } from '../people/role-names.ts';
import { useSignOut } from '../sign-in/sign-out.tsx';
import { AboutYou } from './about-you.tsx';
import { DeviceCard } from './device-card.tsx';
import { Feeds } from './feeds.tsx';
import { Look } from './look.tsx';
import { Methods } from './methods/methods.tsx';
import { feedsQuery, methodsQuery, profileQuery, pushQuery, rulesQuery } from './queries.ts';
import { Rules } from './rules/rules.tsx';

/** The viewer's profile: this device, contact methods, rules, personal data, appearance, signing out. */
export function ProfileView() {
  const session = useQuery(sessionQuery).data;
  const ready = areReady(
    useQuery(methodsQuery),
    useQuery(rulesQuery),
    useQuery(profileQuery),
    useQuery(feedsQuery),
    useQuery(pushQuery),
  );
  if (!session) return null;
  const { user, organization, teams } = session;
  return (
    <div className="view" style={{ maxWidth: 760 }}>
      <header className="row wrap">
        <Avatar person={user} size={44} />
        <div className="grow">
          <h1>{user.name}</h1>
          <span className="muted">
            {user.email} ·{' '}
            {t('{role}, {organization}', { role: roleName(user.role), organization: organization.name })}
            {teams.length > 0 && ` · ${commas(teams.map(({ name }) => name))}`} ·{' '}
            {t('times in {zone}', { zone: zoneName() })}
          </span>
        </div>
        <SignOut />
      </header>
      {ready ? (
        <>
          <DeviceCard />
          <Methods />
          <Rules />
          <AboutYou />
          <Feeds />
          <Look />
        </>
      ) : (
        <Loading rows={6} />
      )}
      <p className="faint">
        Tocsin {session.version} · <a href="/docs">{t('API reference')}</a>
      </p>
    </div>
  );
}

function SignOut() {
  const signOut = useSignOut();
  return (
    <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate()}>
      {t('Sign out')}
    </Button>
  );
}
