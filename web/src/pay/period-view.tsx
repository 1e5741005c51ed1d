import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { urlOf } from '../../../src/kit/endpoint-contract.ts';
import { type PeriodDetail, payApi, type StatementSummary } from '../../../src/pay/api-contract.ts';
import detail from '../kit/detail.module.css';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { Scroller } from '../kit/scroller.tsx';
import { Empty } from '../kit/states.tsx';
import { dayTime, fullTime } from '../kit/time.ts';
import { ViewHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import classes from './pay.module.css';
import { PeriodActions } from './period-actions.tsx';
import { periodQuery } from './queries.ts';
import { hoursAndMinutes, money, periodName, STATE_NAMES, STATE_TONES, signedMoney } from './words.ts';

/** A pay period: its state, what everybody gets, and what keeps it from being checked or has changed since. */
export function PeriodView() {
  const { id } = useParams({ from: '/pay/$id' });
  const { data, error, refetch } = useQuery(periodQuery(id));
  if (data) return <Shown period={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such pay period that you may see.')}
      to="/pay"
      back={t('All periods')}
    />
  );
}

export function PayCrumb() {
  return (
    <Link to="/pay" className="crumb">
      {t('Pay')} /
    </Link>
  );
}

function Shown({ period }: { period: PeriodDetail }) {
  const { id, state, statements, totals, may_manage } = period;
  return (
    <div className="view">
      <ViewHead
        crumb={<PayCrumb />}
        name={periodName(period)}
        states={<Pill tone={STATE_TONES[state]}>{STATE_NAMES[state]}</Pill>}
        about={totals.map(({ currency, total }) => (
          <span key={currency} className={classes.total} style={{ color: 'var(--text)', marginRight: 20 }}>
            {money(total, currency)}
          </span>
        ))}
      >
        {may_manage && (
          <div className={detail.actions}>
            <Button
              component="a"
              variant="default"
              href={urlOf(payApi.csv, { params: { id }, query: { bom: true } })}
              download
            >
              CSV
            </Button>
            <PeriodActions period={period} />
          </div>
        )}
      </ViewHead>
      {may_manage && <Steps period={period} />}
      {period.incomplete && (
        <p className="ink-watch">
          {t(
            'Pages or shifts of this period have been deleted already, so its amounts may be too low. PAGE_RETENTION_DAYS and SCHEDULE_RETENTION_DAYS decide how long they are kept.',
          )}
        </p>
      )}
      <Unpriced period={period} />
      <Changed period={period} />
      <section className="stack" aria-label={t('Statements')}>
        <h2>{t('Statements')}</h2>
        {statements.length === 0 ? (
          <Empty>
            {period.unpriced.length === 0
              ? t('Nobody was on call in this period.')
              : t('Nobody has an amount yet, because no rates applied to the people who were on call.')}
          </Empty>
        ) : (
          <Statements id={id} statements={statements} />
        )}
      </section>
    </div>
  );
}

function Steps({ period }: { period: PeriodDetail }) {
  const { state, checked_by, checked_at, published_by, published_at } = period;
  const by = (name: string | undefined, at: string | null) =>
    at === null ? null : <small>{t('{name}, {time}', { name: name ?? '–', time: fullTime(at) })}</small>;
  return (
    <ol className={classes.steps} aria-label={t('State')}>
      <li data-done="">
        <i>1</i> {STATE_NAMES.draft}
        <small>{period.over ? t('computed from shifts and pages') : t('the period is not over yet')}</small>
      </li>
      <li {...(state === 'draft' ? {} : { 'data-done': '' })}>
        <i>2</i> {STATE_NAMES.checked}
        {by(checked_by?.name, checked_at)}
      </li>
      <li {...(state === 'published' ? { 'data-done': '' } : {})}>
        <i>3</i> {STATE_NAMES.published}
        {by(published_by?.name, published_at)}
      </li>
    </ol>
  );
}

function Unpriced({ period: { unpriced, state } }: { period: PeriodDetail }) {
  if (unpriced.length === 0 || state === 'published') return null;
  return (
    <section className="stack" aria-label={t('Times without rates')}>
      <h2>{t('Times without rates')}</h2>
      <p className="muted">
        {t(
          'These people were on call while no rates applied to them. Set rates, or say that they are not paid.',
        )}
      </p>
      <div className="card lines">
        {unpriced.map(({ person, milliseconds, from }) => (
          <div key={person.id} className="line wrap">
            <span className="grow" style={{ minWidth: 120 }}>
              {person.name}
            </span>
            <span className="muted">
              {t('{hours}, from {time}', { hours: hoursAndMinutes(milliseconds), time: dayTime(from) })}
            </span>
          </div>
        ))}
      </div>
      <div className="row">
        <Link className="link" to="/pay" search={{ tab: 'rates' }}>
          {t('Rates')}
        </Link>
        <Link className="link" to="/pay" search={{ tab: 'people' }}>
          {t('People')}
        </Link>
      </div>
    </section>
  );
}

function Changed({ period: { changed, state } }: { period: PeriodDetail }) {
  if (changed.length === 0) return null;
  const title =
    state === 'published' ? t('Changed since it was published') : t('Changed since it was checked');
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <p className="muted">
        {state === 'published'
          ? t('Shifts, pages or rates of this period have changed. The next period corrects the difference.')
          : t('Make the period a draft again, and check its current figures.')}
      </p>
      <div className="card lines">
        {changed.map(({ person, table, published, now, difference }) => (
          <div key={`${person.id} ${table.id}`} className="line wrap">
            <span className="grow">{person.name}</span>
            <span className="muted tabular">
              {t('{before} → {now}', {
                before: money(published, table.currency),
                now: money(now, table.currency),
              })}
            </span>
            <b className="tabular">{signedMoney(difference, table.currency)}</b>
          </div>
        ))}
      </div>
    </section>
  );
}

function Statements({ id, statements }: { id: string; statements: readonly StatementSummary[] }) {
  const corrects = statements.some(({ corrected }) => Number(corrected) !== 0);
  const names = [
    t('Person'),
    t('Rate table'),
    t('On call'),
    t('Called out'),
    ...(corrects ? [t('For the period'), t('Corrections')] : []),
    t('Total'),
  ];
  return (
    <Scroller label={t('Amounts of each person')}>
      <table className={classes.table}>
        <thead>
          <tr>
            {names.map((name, index) => (
              <th key={name} scope="col" {...(index === 1 ? { className: classes.wide } : {})}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {statements.map(({ person, table, ...line }) => (
            <tr key={`${person.id} ${table.id}`}>
              <th scope="row">
                <span className="row" style={{ gap: 8 }}>
                  <Avatar person={person} size={20} />
                  <Link className="link" to="/pay/$id/$person" params={{ id, person: person.id }}>
                    {person.name}
                  </Link>
                </span>
              </th>
              <td className={`muted ${classes.wide}`}>{table.name}</td>
              <td>{hoursAndMinutes(line.milliseconds)}</td>
              <td>
                {line.called_out_milliseconds === 0 ? '–' : hoursAndMinutes(line.called_out_milliseconds)}
              </td>
              {corrects && <td>{money(line.amount, table.currency)}</td>}
              {corrects && (
                <td>{Number(line.corrected) === 0 ? '–' : signedMoney(line.corrected, table.currency)}</td>
              )}
              <td>
                <b>{money(line.total, table.currency)}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
