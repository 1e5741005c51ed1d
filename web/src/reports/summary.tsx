import type { ReactNode } from 'react';
import type { FairnessReport, LoadReport, ResponsesReport } from '../../../src/reports/api-contract.ts';
import { t } from '../language/t.ts';
import type { Shown } from './queries.ts';
import classes from './reports.module.css';
import { figure, took } from './words.ts';

type Reports = {
  fairness: Shown<FairnessReport>;
  responses: Shown<ResponsesReport>;
  load: Shown<LoadReport>;
};

/** The key figures of all reports. */
export function Summary({ fairness, responses, load }: Reports) {
  const { pages, acknowledged, expired, median_seconds: median, p95_seconds: p95 } = responses.total;
  const all = pages.low + pages.medium + pages.high;
  const carrying = fairness.people.filter(({ hours }) => hours > 0);
  const hours = carrying.reduce((sum, line) => sum + line.hours, 0);
  return (
    <dl className={classes.summary}>
      <Figure name={t('Pages')} value={figure(all)}>
        {all === 0
          ? t('none was raised')
          : t('{acknowledged} acknowledged{expired, plural, =0 {} other {, # expired}}', {
              acknowledged,
              expired,
            })}
      </Figure>
      <Figure name={t('Time to acknowledge')} value={median === null ? '–' : took(median)}>
        {p95 === null ? t('nothing to measure') : t('median; 95th percentile {time}', { time: took(p95) })}
      </Figure>
      <Figure
        name={t('Interrupted')}
        value={t('{hours, plural, one {# hour} other {# hours}}', { hours: load.interrupted_hours })}
      >
        {load.sleep_hours_interrupted === 0
          ? t('none while asleep')
          : t('{hours} of them while asleep', { hours: load.sleep_hours_interrupted })}
      </Figure>
      <Figure name={t('On call')} value={t('{h} h', { h: figure(Math.round(hours)) })}>
        {carrying.length > 1
          ? t('{count} people, up to {shifts, plural, one {# shift} other {# shifts}} from an equal share', {
              count: carrying.length,
              shifts: Math.round(fairness.spread.from_share * 10) / 10,
            })
          : t('{count, plural, one {# person} other {# people}}', { count: carrying.length })}
      </Figure>
    </dl>
  );
}

function Figure({ name, value, children }: { name: string; value: string; children: ReactNode }) {
  return (
    <div className="card pad">
      <dt className="muted">{name}</dt>
      <dd>
        <b className="tabular">{value}</b>
        <span className="muted">{children}</span>
      </dd>
    </div>
  );
}
