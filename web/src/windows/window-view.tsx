import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { repeatWords } from '../../../src/calendars/repeat-words-contract.ts';
import type { HeldShown, WindowShown } from '../../../src/sources/windows-api-contract.ts';
import classes from '../kit/detail.module.css';
import { capital } from '../kit/detail.ts';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { Empty } from '../kit/states.tsx';
import { shortRange, shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { TeamCrumb, ViewHead } from '../kit/view-head.tsx';
import { viewerZone, zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { stateName } from '../pages/words.ts';
import { EditWindow } from './edit-window.tsx';
import { EndWindow } from './end-window.tsx';
import { Occurrences } from './occurrences.tsx';
import { windowQuery } from './queries.ts';
import { caughtWords, effectWords, STATE_TONES, scopeWords, stateWords, timeWords } from './words.ts';

/** One maintenance window or silence: what it concerns, when, and what it kept from paging. */
export function WindowView() {
  const { id } = useParams({ from: '/windows/$id' });
  const { data, error, refetch } = useQuery(windowQuery(id));
  if (data) return <Shown window={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t(
        'There is no such window in your organization; windows are kept for 400 days after they end.',
      )}
      to="/teams"
      back={t('All teams')}
    />
  );
}

function Shown({ window }: { window: WindowShown }) {
  const now = useNow(30_000);
  const [changing, setChanging] = useState(false);
  const { name, team, owner, effect, rrule, zone, state } = window;
  return (
    <div className="view">
      <ViewHead
        crumb={<TeamCrumb team={team} />}
        name={name}
        states={
          <Pill tone={STATE_TONES[state]} dot>
            {stateWords(window)}
          </Pill>
        }
        about={
          <>
            {window.silence
              ? t('Silence by {who}', { who: owner?.name ?? t('the operator') })
              : t('Maintenance window by {who}', { who: owner?.name ?? t('the operator') })}
            {' · '}
            {timeWords(window, now)}
          </>
        }
      >
        <div className={classes.actions}>
          {window.may_change && (
            <Button variant="default" onClick={() => setChanging(true)}>
              {t('Change')}
            </Button>
          )}
          <EndWindow window={window} />
        </div>
      </ViewHead>
      <div className={classes.columns}>
        <section className="stack" aria-label={t('Kept from paging')}>
          <h2>
            {state === 'active' && rrule !== null ? t('Kept from paging this time') : t('Kept from paging')}
          </h2>
          {window.held.length === 0 ? (
            <Empty>{NOTHING[state]}</Empty>
          ) : (
            <>
              <p className="muted">{caughtWords(window)}.</p>
              <div className="card lines">
                {window.held.map((one) => (
                  <Held key={`${one.source.id} ${one.title} ${one.first_at}`} held={one} now={now} />
                ))}
              </div>
              {window.held_count > window.held.length && (
                <p className="muted">
                  {t('And {count} earlier ones.', { count: window.held_count - window.held.length })}
                </p>
              )}
            </>
          )}
        </section>
        <aside className="stack" style={{ gap: 20 }}>
          <section className="stack" aria-label={t('Subject')}>
            <h2>{t('Subject')}</h2>
            <div className="card pad stack tight">
              <span style={{ overflowWrap: 'anywhere' }}>{scopeWords(window)}</span>
              <span className="muted">{effectWords(effect)}</span>
            </div>
          </section>
          {state !== 'over' && (
            <section className="stack" aria-label={t('When')}>
              <h2>{rrule === null ? t('When') : capital(repeatWords(rrule))}</h2>
              <div className="card pad">
                <Occurrences
                  occurrences={window.occurrences}
                  zone={zone === null ? viewerZone() : zoneOf(zone)}
                  now={now}
                />
              </div>
            </section>
          )}
        </aside>
      </div>
      {changing && <EditWindow window={window} close={() => setChanging(false)} />}
    </div>
  );
}

const NOTHING: Record<WindowShown['state'], string> = {
  upcoming: t('It has not started yet.'),
  active: t('Nothing was reported yet.'),
  over: t('Nothing was reported during it.'),
};

function Held({ held, now }: { held: HeldShown; now: Date }) {
  const { title, source, events, first_at, last_at, waiting, page } = held;
  return (
    <div className="line wrap">
      <div className="grow">
        {page ? (
          <Link className="link" to="/pages/$id" params={{ id: page.id }}>
            {title}
          </Link>
        ) : (
          <b style={{ overflowWrap: 'anywhere' }}>{title}</b>
        )}
        <div className="muted">
          {source.name} ·{' '}
          {events === 1
            ? t('once, {time}', { time: shortTime(first_at, now) })
            : t('{count} times, {times}', { count: events, times: shortRange(first_at, last_at, now) })}
        </div>
      </div>
      {waiting && <Pill tone="watch">{t('waits to page')}</Pill>}
      {page && <Pill tone="none">{t('paged, {state}', { state: stateName(page.state) })}</Pill>}
    </div>
  );
}
