import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { onCallQuery, openPagesQuery, peopleQuery, problemsQuery } from '../api/queries.ts';
import { noticesQuery } from '../inbox/queries.ts';
import { areReady } from '../kit/ready.ts';
import { Loading } from '../kit/states.tsx';
import { longTime, zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { OpenPages } from '../pages/open-pages.tsx';
import { methodsQuery } from '../profile/queries.ts';
import { Waiting } from '../schedules/covers-for-me.tsx';
import { coversForMeQuery } from '../schedules/covers-query.ts';
import { activeWindowsQuery } from '../windows/queries.ts';
import { QuietNow } from '../windows/quiet-now.tsx';
import { Attention } from './attention.tsx';
import { Hints } from './hints.tsx';
import classes from './now.module.css';
import { OnCall } from './on-call.tsx';
import { OwnShifts } from './own-shifts.tsx';
import { UnreadNotices } from './unread-notices.tsx';

/** What matters now: open pages, requests to the viewer, who is on call, the viewer's next shifts, problems. */
export function NowView() {
  const now = useNow(15_000);
  const ready = useReady();
  return (
    <div className="view">
      <ListHead name={t('Now')} about={`${longTime(now)} ${zoneName()}`}>
        <Button
          component={Link}
          to="/pages/new"
          variant="default"
          rightSection={<span className="kbd">P</span>}
        >
          {t('Page someone')}
        </Button>
      </ListHead>
      {ready ? <Parts now={now} /> : <Loading rows={5} />}
    </div>
  );
}

function Parts({ now }: { now: Date }) {
  const onCall = useQuery(onCallQuery);
  const { teams, yours } = onCall.data ?? { teams: [], yours: [] };
  return (
    <>
      <section className="stack" aria-label={t('Open pages')}>
        <h2>{t('Open pages')}</h2>
        <OpenPages />
      </section>
      <QuietNow now={now} />
      <Hints teams={teams} />
      <OnCall query={onCall} now={now} />
      <Waiting now={now} />
      <div className={classes.halves}>
        <div className="stack" style={{ gap: 24 }}>
          <OwnShifts shifts={yours} read={onCall.data !== undefined} now={now} />
          <UnreadNotices now={now} />
        </div>
        <Attention teams={teams} now={now} />
      </div>
    </>
  );
}

function useReady(): boolean {
  return areReady(
    useQuery(openPagesQuery),
    useQuery(onCallQuery),
    useQuery(coversForMeQuery),
    useQuery(problemsQuery),
    useQuery(noticesQuery),
    useQuery(activeWindowsQuery),
    useQuery(methodsQuery),
    useQuery(peopleQuery),
  );
}
