import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { HandoffNote, NextHandoff } from '../../../src/handoffs/api-contract.ts';
import classes from '../kit/detail.module.css';
import { Markdown } from '../kit/markdown.tsx';
import { NotShown } from '../kit/not-shown.tsx';
import { Unread } from '../kit/states.tsx';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ViewHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { changesText } from './changes.ts';
import { Facts } from './facts.tsx';
import { handoffNoteQuery, handoffNotesQuery, nextHandoffQuery } from './queries.ts';
import { Writer } from './writer.tsx';

/** The next hand-off of a schedule, and what people write for it. */
export function HandoffView() {
  const { id: scheduleId } = useParams({ from: '/schedules/$id/handoff' });
  const now = useNow(30_000);
  const { data, error, refetch } = useQuery(nextHandoffQuery(scheduleId));
  if (!data)
    return (
      <NotShown
        error={error}
        again={refetch}
        missing={t('There is no such schedule in your organization.')}
        to="/schedules"
        back={t('All schedules')}
      />
    );
  return (
    <div className="view">
      <Head {...data} name={t('Next hand-off')} about={nextText(data, now)} />
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 24 }}>
          <Writer next={data} now={now} />
          <Facts facts={data.facts} since={data.since} now={now} />
        </div>
        <Earlier scheduleId={scheduleId} now={now} />
      </div>
    </div>
  );
}

function nextText({ at, changes }: NextHandoff, now: Date): string {
  if (at === null) return t('No hand-off is planned within 60 days.');
  return `${shortTime(at, now)} · ${changesText(changes)}`;
}

/** The note of a hand-off that has taken place. */
export function HandoffNoteView() {
  const { id: scheduleId, note: id } = useParams({ from: '/schedules/$id/handoff/$note' });
  const now = useNow(30_000);
  const { data, error, refetch } = useQuery(handoffNoteQuery(id));
  if (!data)
    return (
      <NotShown
        error={error}
        again={refetch}
        missing={t(
          'This hand-off note was deleted when its retention ended, or belongs to another organization.',
        )}
        to="/schedules"
        back={t('All schedules')}
      />
    );
  return (
    <div className="view">
      <Head
        {...data}
        name={t('Hand-off {time}', { time: shortTime(data.at, now) })}
        about={`${changesText(data.changes)} · ${t('as it was then')}`}
      />
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 24 }}>
          {data.text !== '' && <Written note={data} />}
          <Facts facts={data.facts} since={data.since} now={now} />
        </div>
        <Earlier scheduleId={scheduleId} now={now} />
      </div>
    </div>
  );
}

function Head({ schedule, name, about }: { schedule: NextHandoff['schedule']; name: string; about: string }) {
  return (
    <ViewHead
      crumb={
        <Link to="/schedules/$id" params={{ id: schedule.id }} className="crumb">
          {schedule.name} /
        </Link>
      }
      name={name}
      about={about}
    />
  );
}

function Written({ note: { text, written_by } }: { note: HandoffNote }) {
  return (
    <section className="stack" aria-label={t('Comments')}>
      <h2>{written_by ? t('From {name}', { name: written_by.name }) : t('From the previous people')}</h2>
      <div className="card pad">
        <Markdown text={text} />
      </div>
    </section>
  );
}

function Earlier({ scheduleId, now }: { scheduleId: string; now: Date }) {
  const { data, error, refetch } = useQuery(handoffNotesQuery(scheduleId));
  return (
    <aside className="stack" aria-label={t('Hand-offs')}>
      <h2>{t('Hand-offs')}</h2>
      {!data && <Unread error={error} again={refetch} />}
      {data && (
        <nav className="card lines" aria-label={t('Hand-offs')}>
          <Link
            className={`line ${classes.plain}`}
            to="/schedules/$id/handoff"
            params={{ id: scheduleId }}
            activeOptions={{ exact: true }}
          >
            <b>{t('Next')}</b>
          </Link>
          {data.notes.map(({ id, at, changes }) => (
            <Link
              key={id}
              className={`line ${classes.plain}`}
              to="/schedules/$id/handoff/$note"
              params={{ id: scheduleId, note: id }}
            >
              <div>
                {shortTime(at, now)}
                <div className="muted">{changesText(changes)}</div>
              </div>
            </Link>
          ))}
        </nav>
      )}
    </aside>
  );
}
