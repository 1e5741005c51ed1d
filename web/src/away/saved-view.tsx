import { Button, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { SavedOnCall } from '../../../src/schedules/api-contract.ts';
import { Bell } from '../kit/icons.tsx';
import { Empty, Loading } from '../kit/states.tsx';
import { clockTime, dateOf, shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { useDatabaseAway } from './database-away.ts';
import { useLifeboat } from './lifeboat.ts';
import { LifeboatWords } from './lifeboat-words.tsx';
import classes from './saved.module.css';
import { savedOnCallQuery } from './saved-query.ts';
import { SavedScheduleCard } from './saved-schedule.tsx';

/** Schedules that are shown at first, so that thousands do not slow down a phone. */
const FEW = 30;

/** The saved list instead of the dashboard, for somebody who opens it while the database is away. */
export function SavedInstead() {
  return (
    <main className={classes.bare}>
      <div className="view">
        <span className={classes.brand}>
          <Bell />
          Tocsin
        </span>
        <SavedParts />
      </div>
    </main>
  );
}

/** The saved list within the dashboard. */
export function SavedView() {
  return (
    <div className="view">
      <SavedParts />
    </div>
  );
}

function SavedParts() {
  const { data, error } = useQuery(savedOnCallQuery);
  const now = useNow(15_000);
  return (
    <>
      <h1>{t('Who is on call')}</h1>
      <About list={data} refused={error !== null} now={now} />
      {!data && !error && <Loading rows={3} />}
      {data && <Schedules schedules={data.schedules} now={now} />}
    </>
  );
}

function About({ list, refused, now }: { list: SavedOnCall | undefined; refused: boolean; now: Date }) {
  const away = useDatabaseAway();
  const lifeboat = useLifeboat();
  return (
    <div className={classes.away} role="status">
      {away && (
        <b>
          {t('The database is not reachable.')} {list && savedText(list.saved_at, now)}
        </b>
      )}
      {!away && list && <b>{savedText(list.saved_at, now)}</b>}
      {list?.shortened && (
        <span>
          {t('The list was too large to save completely: it ends {time}, and schedules may be missing.', {
            time: shortTime(list.until, now),
          })}
        </span>
      )}
      {away && (
        <span>
          {lifeboat?.state === 'afloat' ? (
            <LifeboatWords copiedAt={lifeboat.copiedAt} />
          ) : (
            <>
              {t('New pages are refused until it is back, and open pages wait.')}{' '}
              {list && `${t('Call the people below.')} `}
            </>
          )}
          {t('The dashboard returns by itself.')}
        </span>
      )}
      {away && refused && !list && (
        <span>
          <Rich
            text="The saved on-call list is shown to people who were signed in when it was saved, for 24 hours. On the machine of the server, run <command>tocsin oncall --saved</command>."
            command={(command) => <code>{command}</code>}
          />
        </span>
      )}
      {!away && refused && (
        <span>{t('This node has not saved a list yet. It does so within a minute of its start.')}</span>
      )}
    </div>
  );
}

/** `at 08:41`, or `on Mon 23 Nov 08:41` if it was another day. */
function savedText(at: string, now: Date): string {
  return dateOf(at) === dateOf(now)
    ? t('This list was saved at {time}.', { time: clockTime(at) })
    : t('This list was saved on {time}.', { time: shortTime(at, now) });
}

function Schedules({ schedules, now }: { schedules: SavedOnCall['schedules']; now: Date }) {
  const [wanted, setWanted] = useState('');
  const [all, setAll] = useState(false);
  if (schedules.length === 0) return <Empty>{t('No schedule was enabled when the list was saved.')}</Empty>;
  const found = schedules.filter(({ name, team }) =>
    `${name} ${team}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  );
  const shown = all ? found : found.slice(0, FEW);
  return (
    <>
      {schedules.length > 6 && (
        <TextInput
          label={t('Find a schedule or team')}
          value={wanted}
          onChange={(event) => setWanted(event.currentTarget.value)}
        />
      )}
      {found.length === 0 && <Empty>{t('No schedule or team has that in its name.')}</Empty>}
      <div className={classes.schedules}>
        {shown.map((schedule) => (
          <SavedScheduleCard key={schedule.id} schedule={schedule} now={now} />
        ))}
      </div>
      {shown.length < found.length && (
        <div>
          <Button variant="default" onClick={() => setAll(true)}>
            {t('Show all {count} schedules', { count: found.length })}
          </Button>
        </div>
      )}
    </>
  );
}
