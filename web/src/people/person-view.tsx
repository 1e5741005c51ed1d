import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { PersonDetail } from '../../../src/people/person-contract.ts';
import { ExplainedButton } from '../kit/explained-button.tsx';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { zoneName } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { Avatar } from './avatar.tsx';
import { ChangePerson } from './change-person.tsx';
import { DisablePerson } from './disable-person.tsx';
import classes from './people.module.css';
import { PersonMethods } from './person-methods.tsx';
import { PersonShifts } from './person-shifts.tsx';
import { PersonTeams } from './person-teams.tsx';
import { personQuery } from './queries.ts';
import { ReachPill } from './reach-pill.tsx';
import { roleName } from './role-names.ts';
import { ForgetIdentityButton, SignInLinkButton } from './sign-in-link.tsx';
import { useEnabling } from './use-enabling.ts';

/** One person: how they are reached, when they are on call, and what an admin can change. */
export function PersonView() {
  const { id } = useParams({ from: '/people/$id' });
  const { data: person, error, refetch } = useQuery(personQuery(id));
  if (!person)
    return (
      <NotShown
        error={error}
        again={refetch}
        missing={t('There is no such person in your organization.')}
        to="/people"
        back={t('All people')}
      />
    );
  return (
    <div className="view" style={{ maxWidth: 960 }}>
      <Head person={person} />
      <div className={classes.columns}>
        <PersonMethods person={person} />
        <div className="stack" style={{ gap: 24 }}>
          <PersonShifts person={person} />
          <PersonTeams person={person} />
        </div>
      </div>
    </div>
  );
}

function Head({ person }: { person: PersonDetail }) {
  const [open, setOpen] = useState<'change' | 'disable' | null>(null);
  const enable = useEnabling(person);
  const { name, email, username, role, time_zone: zone, disabled, may } = person;
  const close = () => setOpen(null);
  return (
    <header className="row wrap">
      <Avatar person={person} size={44} />
      <div className="grow" style={{ minWidth: 220 }}>
        <div className="row wrap" style={{ gap: '4px 10px' }}>
          <h1>{name}</h1>
          {role !== 'member' && <Pill tone="none">{roleName(role)}</Pill>}
          <ReachPill {...person} />
        </div>
        <span className="muted" style={{ overflowWrap: 'anywhere' }}>
          {email} · {username} ·{' '}
          {t('local time zone {home} · times in {zone}', { home: zone, zone: zoneName() })}
        </span>
      </div>
      {!disabled && (
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/pages/new" search={{ kind: 'person', to: email }} {...props} />}
        >
          {t('Page {name}', { name: name.split(' ')[0] ?? name })}
        </Button>
      )}
      {may.change && !disabled && (
        <>
          <SignInLinkButton person={person} />
          <ForgetIdentityButton person={person} />
          <Button variant="default" onClick={() => setOpen('change')}>
            {t('Change')}
          </Button>
          <ExplainedButton why={may.why_not} label={t('Disable')} act={() => setOpen('disable')} />
        </>
      )}
      {may.change && disabled && (
        <Button loading={enable.isPending} onClick={() => enable.mutate()}>
          {t('Enable again')}
        </Button>
      )}
      {open === 'change' && <ChangePerson person={person} close={close} />}
      {open === 'disable' && <DisablePerson person={person} close={close} />}
    </header>
  );
}
