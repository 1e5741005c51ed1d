import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PayTableShown, payApi, type VersionShown } from '../../../src/pay/api-contract.ts';
import { HOUR_CLASSES, type Rates } from '../../../src/pay/contract.ts';
import { send } from '../api/call.ts';
import { Pill } from '../kit/pill.tsx';
import { Empty, Unread } from '../kit/states.tsx';
import { timeOfDay } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import classes from './pay.module.css';
import { tablesQuery } from './queries.ts';
import { RatesDialog } from './rates-dialog.tsx';
import { TableDialog } from './table-dialog.tsx';
import { CLASS_NAMES, dayName, KIND_NAMES, ratePerHour } from './words.ts';

/** Rate tables, one for each region, with their rates from day to day. */
export function RateTables() {
  const { data, error, refetch } = useQuery(tablesQuery);
  const [adding, setAdding] = useState(false);
  if (!data) return <Unread error={error} again={refetch} rows={3} />;
  const add = <Button onClick={() => setAdding(true)}>{t('New rate table')}</Button>;
  return (
    <div className="stack" style={{ gap: 20 }}>
      {data.tables.length === 0 ? (
        <Empty action={add}>
          {t(
            'A rate table says what an hour on call pays in a region: its currency, time zone and public holidays.',
          )}
        </Empty>
      ) : (
        <div className="row">{add}</div>
      )}
      {data.tables.map((table) => (
        <RateTable key={table.id} table={table} />
      ))}
      {adding && <TableDialog table={null} first={data.tables.length === 0} close={() => setAdding(false)} />}
    </div>
  );
}

function RateTable({ table }: { table: PayTableShown }) {
  const [changing, setChanging] = useState(false);
  const [version, setVersion] = useState<VersionShown | 'new' | null>(null);
  const latest = table.versions.at(-1) ?? null;
  const versionFrom = (day: string) => table.versions.find(({ from }) => from === day);
  const place = [table.country, table.region].filter((one) => one !== null).join('-');
  return (
    <section className="card" aria-label={table.name}>
      <div className="pad row wrap">
        <div className="grow stack tight" style={{ minWidth: 220 }}>
          <span className="row wrap" style={{ gap: 8 }}>
            <h2>{table.name}</h2>
            {table.default && <Pill tone="info">{t('Default')}</Pill>}
          </span>
          <span className="muted">
            {place === ''
              ? t('{currency}, times of {city}, holidays of the organization', {
                  currency: table.currency,
                  city: zoneOf(table.time_zone).city,
                })
              : t('{currency}, times of {city}, holidays of {place}', {
                  currency: table.currency,
                  city: zoneOf(table.time_zone).city,
                  place,
                })}
          </span>
        </div>
        <Button variant="default" onClick={() => setChanging(true)}>
          {t('Change')}
        </Button>
        <Button variant={latest ? 'default' : 'filled'} onClick={() => setVersion('new')}>
          {t('New rates')}
        </Button>
      </div>
      <div className="lines">
        {table.versions.length === 0 && (
          <div className="line muted" style={{ borderTop: '1px solid var(--line)' }}>
            {t('It has no rates yet, so nothing is paid by it.')}
          </div>
        )}
        {table.versions.toReversed().map((one) => (
          <Version key={one.from} table={table} version={one} change={() => setVersion(one)} />
        ))}
      </div>
      {changing && <TableDialog table={table} close={() => setChanging(false)} />}
      {version && (
        <RatesDialog
          table={table}
          version={version === 'new' ? null : (versionFrom(version.from) ?? version)}
          like={latest}
          close={() => setVersion(null)}
        />
      )}
    </section>
  );
}

function Version({
  table,
  version,
  change,
}: {
  table: PayTableShown;
  version: VersionShown;
  change: () => void;
}) {
  const { from, until, rates } = version;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => send(payApi.removeRates, { params: { id: table.id, from } }),
    onSuccess: async () => {
      showToast(t('The rates are removed.'));
      await client.invalidateQueries({ queryKey: ['pay'] });
    },
    onError: (error: Error) => showFailure(error),
  });
  return (
    <div className="pad stack" style={{ borderTop: '1px solid var(--line)' }}>
      <div className="row wrap">
        <b className="grow">
          {until === null
            ? t('From {day}', { day: dayName(from) })
            : t('{from} to {until}', { from: dayName(from), until: dayName(until) })}
        </b>
        <Button
          variant="subtle"
          onClick={change}
          aria-label={t('Change the rates from {day}', { day: dayName(from) })}
        >
          {t('Change')}
        </Button>
        <Button
          variant="subtle"
          loading={remove.isPending}
          onClick={() => remove.mutate()}
          aria-label={t('Remove the rates from {day}', { day: dayName(from) })}
        >
          {t('Remove')}
        </Button>
      </div>
      <div className={classes.rates}>
        {columnsOf(rates).map(({ title, of }) => (
          <dl key={title} className="stack tight">
            <dt className="muted">{title}</dt>
            {HOUR_CLASSES.map((name) => (
              <dd key={name}>
                <span>{CLASS_NAMES[name]}</span>
                <span className="tabular">{ratePerHour(of[name], table.currency)}</span>
              </dd>
            ))}
          </dl>
        ))}
      </div>
      <p className="muted">{rulesOf(rates)}</p>
    </div>
  );
}

function columnsOf({ on_call, stages = [], called_out }: Rates) {
  return [
    { title: KIND_NAMES.on_call, of: on_call },
    ...stages
      .toSorted((a, b) => a.from_stage - b.from_stage)
      .map((one) => ({ title: t('On call from stage {stage}', { stage: one.from_stage }), of: one.on_call })),
    { title: KIND_NAMES.called_out, of: called_out },
  ];
}

/** The rules of rates in sentences. */
function rulesOf({ overlap, night, called_out, working_hours }: Rates): string {
  const { minimum_minutes: minimum, step_minutes: step, longest_hours: hours } = called_out;
  return [
    overlap === 'highest'
      ? t('When several classes apply, the highest rate is paid.')
      : t('Night, weekend and holiday are supplements to standby.'),
    t('Night is from {from} to {to}.', { from: timeOfDay(night.from), to: timeOfDay(night.to) }),
    t(
      'A call-out pays at least {minimum} min, rounded up to {step} min, and at most {hours} h for one page.',
      {
        minimum,
        step,
        hours,
      },
    ),
    called_out.on_call === 'replaced'
      ? t('Standby is not paid during a call-out.')
      : t('Standby is paid during a call-out as well.'),
    ...(working_hours.length === 0 ? [] : [t('Working hours are not paid, except on holidays.')]),
  ].join(' ');
}
