import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { Statement } from '../../../src/pay/api-contract.ts';
import type { PayLine } from '../../../src/pay/contract.ts';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { ViewHead } from '../kit/view-head.tsx';
import { type Zone, zoneOf } from '../kit/zones.ts';
import { commas, t } from '../language/t.ts';
import classes from './pay.module.css';
import { PayCrumb } from './period-view.tsx';
import { periodQuery, statementQuery } from './queries.ts';
import {
  dayName,
  hoursAndMinutes,
  lineName,
  money,
  periodName,
  ratePerHour,
  STATE_NAMES,
  STATE_TONES,
  signedMoney,
} from './words.ts';

/** What one person gets for a period, explained hour by hour. */
export function StatementView() {
  const { id, person } = useParams({ from: '/pay/$id/$person' });
  const period = useQuery(periodQuery(id)).data;
  const { data, error, refetch } = useQuery(statementQuery(id, person));
  const [first] = data?.statements ?? [];
  if (!data || !first)
    return (
      <NotShown
        error={error}
        again={refetch}
        missing={t('This person has no statement in the period.')}
        to="/pay"
        back={t('All periods')}
      />
    );
  return (
    <div className="view">
      <ViewHead
        crumb={
          <>
            <PayCrumb />
            {period && (
              <Link to="/pay/$id" params={{ id }} className="crumb">
                {periodName(period)} /
              </Link>
            )}
          </>
        }
        name={first.person.name}
        states={period && <Pill tone={STATE_TONES[period.state]}>{STATE_NAMES[period.state]}</Pill>}
      />
      {data.statements.map((statement) => (
        <OfTable key={statement.table.id} statement={statement} />
      ))}
    </div>
  );
}

function OfTable({ statement }: { statement: Statement }) {
  const { table, total, lines, corrections, call_outs, on_call } = statement;
  const zone = zoneOf(table.time_zone);
  return (
    <section className="stack" style={{ gap: 20 }} aria-label={table.name}>
      <div className="stack tight">
        <span className={classes.total}>{money(total, table.currency)}</span>
        <span className="muted">{t('{table}, times of {city}', { table: table.name, city: zone.city })}</span>
      </div>
      <div className="card lines">
        {lines.map((line) => (
          <Line
            key={`${line.rates_from} ${line.kind} ${line.class} ${line.from_stage}`}
            line={line}
            currency={table.currency}
            zone={zone}
          />
        ))}
        {corrections.map(({ period, amount }) => (
          <div key={period.id} className="line">
            <span className="grow">
              {t('Correction of {period}, which changed after it was published', {
                period: periodName(period),
              })}
            </span>
            <b className="tabular">{signedMoney(amount, table.currency)}</b>
          </div>
        ))}
        {lines.length + corrections.length === 0 && (
          <div className="line muted">
            {t('All of the time was within working hours, which are not paid.')}
          </div>
        )}
      </div>
      {call_outs.length > 0 && <CallOuts {...{ call_outs, zone }} />}
      {on_call.length > 0 && <OnCall {...{ on_call, zone }} />}
    </section>
  );
}

function Line({ line, currency, zone }: { line: PayLine; currency: string; zone: Zone }) {
  const { rate, milliseconds, amount, spans, rates_from } = line;
  return (
    <details className={classes.line}>
      <summary>
        <span>{lineName(line)}</span>
        <span>{hoursAndMinutes(milliseconds)}</span>
        <span>{ratePerHour(rate, currency)}</span>
        <b>{money(amount, currency)}</b>
      </summary>
      <ul className={classes.spans}>
        {spans.map((span) => (
          <li key={span.from}>
            <span>{spanWords(span, zone)}</span>
            <span>{hoursAndMinutes(Date.parse(span.to) - Date.parse(span.from))}</span>
          </li>
        ))}
        <li>
          <span>{t('At the rates from {day}; rounded once, to the cent', { day: dayName(rates_from) })}</span>
        </li>
      </ul>
    </details>
  );
}

function CallOuts({ call_outs, zone }: { call_outs: Statement['call_outs']; zone: Zone }) {
  return (
    <section className="stack" aria-label={t('Call-outs')}>
      <h2>{t('Call-outs')}</h2>
      <div className="card lines">
        {call_outs.map((one) => (
          <div key={one.from} className="line wrap">
            <span className="tabular">{spanWords(one, zone)}</span>
            <span className="grow stack tight">
              {one.pages.map((page) => (
                <Link
                  key={`${page.id} ${page.from}`}
                  className="link"
                  to="/pages/$id"
                  params={{ id: page.id }}
                >
                  {page.title}
                </Link>
              ))}
            </span>
            <span className="muted tabular">
              {hoursAndMinutes(Date.parse(one.to) - Date.parse(one.from))}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

function OnCall({ on_call, zone }: { on_call: Statement['on_call']; zone: Zone }) {
  return (
    <section className="stack" aria-label={t('Times on call')}>
      <h2>{t('Times on call')}</h2>
      <div className="card lines">
        {on_call.map((one) => (
          <div key={`${one.from} ${one.to}`} className="line wrap">
            <span className="tabular grow">{spanWords(one, zone)}</span>
            <span className="muted">{commas(one.schedules)}</span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** `Sat 4 Oct 00:00 to 12:00`, with the day of the end if it is another one. */
function spanWords({ from, to }: { from: string; to: string }, zone: Zone): string {
  const [begin, end] = [Date.parse(from), Date.parse(to)];
  const sameDay = zone.date(begin) === zone.date(end);
  return t('{from} to {to}', {
    from: `${zone.day(begin)} ${zone.clock(begin)}`,
    to: sameDay ? zone.clock(end) : `${zone.day(end)} ${zone.clock(end)}`,
  });
}
