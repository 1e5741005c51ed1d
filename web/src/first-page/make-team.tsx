import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { suggestedSlug } from '../../../src/people/slug-contract.ts';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { schedulesApi } from '../../../src/schedules/settings-contract.ts';
import type { Session } from '../../../src/sessions/api-contract.ts';
import { send } from '../api/call.ts';
import { fieldError, otherError } from '../kit/field-error.ts';
import { t } from '../language/t.ts';
import classes from './first-page.module.css';

type Made = { name: string; slug: string };

/** Creates the first team, with the viewer on call around the clock until others join. */
export function MakeTeam({ session, done }: { session: Session; done: (team: Made) => void }) {
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [slug, setSlug] = useState<string | null>(null);
  const first = useRef<HTMLInputElement>(null);
  /** The team of an earlier attempt whose schedule could not be created. */
  const half = useRef<Made | null>(null);
  useEffect(() => first.current?.focus(), []);
  const wanted = slug ?? suggestedSlug(name);
  const make = useMutation({
    mutationFn: async () => {
      half.current ??= await makeTeam(session.user.id, name, wanted);
      await makeSchedule(session, half.current);
      return half.current;
    },
    onSuccess: async (team) => {
      await Promise.all([
        client.invalidateQueries({ queryKey: ['session'] }),
        client.invalidateQueries({ queryKey: ['on-call'] }),
        client.invalidateQueries({ queryKey: ['teams'] }),
      ]);
      done(team);
    },
  });
  return (
    <form
      className="stack"
      style={{ gap: 16 }}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        make.mutate();
      }}
    >
      <p className="muted">
        {t('Programs page a team by its slug. You are on call in it from now on; others can join later.')}
      </p>
      <div className={classes.fields}>
        <TextInput
          ref={first}
          label={t('Name')}
          placeholder={t('Site Reliability')}
          required
          withAsterisk={false}
          maxLength={200}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldError(make.error, 'name')}
        />
        <TextInput
          label={t('Slug')}
          placeholder="site-reliability"
          required
          withAsterisk={false}
          maxLength={100}
          value={wanted}
          onChange={(event) => setSlug(event.currentTarget.value)}
          error={fieldError(make.error, 'slug')}
        />
      </div>
      <p role="alert" className={make.error ? 'ink-alarm' : 'visually-hidden'}>
        {otherError(make.error, ['name', 'slug'])}
      </p>
      <div>
        <Button type="submit" size="md" loading={make.isPending}>
          {t('Create the team')}
        </Button>
      </div>
    </form>
  );
}

async function makeTeam(user: string, name: string, slug: string): Promise<Made> {
  const { team } = await send(teamsApi.create, {
    body: { name: name.trim(), slug, members: [{ user, role: 'manager' }] },
  });
  return { name: team.name, slug: team.slug };
}

/** Weekly shifts from Monday to Monday, which suit most teams and are easy to change. */
function makeSchedule({ user }: Session, team: Made): Promise<unknown> {
  return send(schedulesApi.create, {
    body: {
      name: team.name,
      team: team.slug,
      time_zone: user.time_zone,
      backstop: user.id,
      strategy: 'rotation',
      shifts: { every: 'week', handoff: 'Monday 09:00' },
      stages: [{ stage: 1, members: [user.id], escalate_after_minutes: 5 }],
    },
  });
}
