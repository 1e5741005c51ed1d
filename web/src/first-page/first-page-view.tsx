import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { pagesApi } from '../../../src/pages/api-contract.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t, tIn } from '../language/t.ts';
import classes from './first-page.module.css';
import { MakeTeam } from './make-team.tsx';
import { Ring } from './ring.tsx';
import { Step, type StepState } from './step.tsx';

/** Guides a new installation to its first acknowledged page: create a team, go on call, allow notifications here. */
export function FirstPageView() {
  const session = useQuery(sessionQuery).data;
  const [made, setMade] = useState<{ name: string; slug: string } | null>(null);
  const [pageId, setPageId] = useState<string | null>(null);
  const acknowledged = useCallback((id: string) => setPageId(id), []);
  if (!session) return null;
  const team = made ?? session.teams[0] ?? null;
  const states = stepStates(team !== null, pageId !== null);
  return (
    <div className="view" style={{ maxWidth: 720 }}>
      <header className="stack tight">
        <h1>{pageId ? t('It works') : t('Your first page')}</h1>
        <p className="muted">
          {pageId
            ? t('You were paged, and you answered. That is what Tocsin is for.')
            : t('Two steps, less than a minute: then you know that pages reach you.')}
        </p>
      </header>
      <ol className={classes.steps}>
        <Step
          number={1}
          title={t('Your team')}
          state={states[0]}
          summary={
            team &&
            (made
              ? t('{team}, paged as {slug}. You are on call.', { team: team.name, slug: team.slug })
              : t('{team}, paged as {slug}.', { team: team.name, slug: team.slug }))
          }
        >
          <MakeTeam session={session} done={setMade} />
        </Step>
        <Step
          number={2}
          title={t('Ring in this browser')}
          state={states[1]}
          summary={
            pageId
              ? t('It rang, and you acknowledged.')
              : t('Tocsin sends you a test page, and you acknowledge it.')
          }
        >
          <Ring session={session} team={made?.slug ?? null} done={acknowledged} />
        </Step>
      </ol>
      {pageId ? <Next pageId={pageId} /> : <Skip />}
    </div>
  );
}

function stepStates(team: boolean, paged: boolean): [StepState, StepState] {
  if (!team) return ['now', 'later'];
  return ['done', paged ? 'done' : 'now'];
}

function Skip() {
  return (
    <p>
      <Link to="/" className="link">
        {tIn('not now', 'Later')}
      </Link>
    </p>
  );
}

/** The next steps of the setup, each with a link. */
function Next({ pageId }: { pageId: string }) {
  const client = useQueryClient();
  const resolve = useMutation({
    mutationFn: () => send(pagesApi.resolve, { params: { id: pageId } }),
    onSuccess: async () => {
      showToast(t('The test page is resolved.'));
      await client.invalidateQueries({ queryKey: ['pages'] });
    },
    onError: showFailure,
  });
  // Left open, it would ring again in half an hour, and then page the next people.
  const { mutate } = resolve;
  useEffect(() => mutate(), [mutate]);
  return (
    <section className="stack" aria-label={t('Next')}>
      <h2>{t('Next')}</h2>
      <div className="card lines">
        <Line
          to="/set-up"
          what={t('Get ready for the night')}
          then={t('All steps, and what is still to do')}
        />
        <Line
          to="/profile"
          what={t('Get pages when this browser is closed')}
          then={t('Push on this device and your phone')}
        />
        <Line
          to="/people"
          what={t('Invite the others')}
          then={t('They sign in with a link and share the nights')}
        />
        <Line to="/keys" what={t('Let a program page you')} then={t('An API key and one call')} />
      </div>
      <div className="row wrap">
        <Button component={Link} to="/set-up" size="md">
          {t('Get ready for the night')}
        </Button>
        <Button component={Link} to="/" variant="default" size="md">
          {t('Go to Now')}
        </Button>
        {resolve.isError && (
          <Button variant="default" size="md" loading={resolve.isPending} onClick={() => resolve.mutate()}>
            {t('Resolve the test page')}
          </Button>
        )}
      </div>
    </section>
  );
}

function Line({
  to,
  what,
  then,
}: {
  to: '/profile' | '/people' | '/keys' | '/set-up';
  what: string;
  then: string;
}) {
  return (
    <Link to={to} className="line" style={{ textDecoration: 'none' }}>
      <span className="grow">
        <b>{what}</b>
        <br />
        <span className="muted">{then}</span>
      </span>
      <span className="faint" aria-hidden="true">
        →
      </span>
    </Link>
  );
}
