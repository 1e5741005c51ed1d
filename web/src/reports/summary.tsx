import type { ReactNode } from 'react';
import type { FairnessReport, LoadReport, ResponsesReport } from '../../../src/reports/api-contract.ts';
import { t } from '../language/t.ts';
import classes from './reports.module.css';
import { counted, figure, took } from './words.ts';

type Reports = { fairness: FairnessReport; responses: ResponsesReport; load: LoadReport };

/** The key figures of all reports. */
export function Summary({ fairness, responses, load }: Reports) {
  const { pages, acknowledged, expired, median_seconds: median, p95_seconds: p95 } = responses.total;
  const all = pages.low + pages.medium + pages.high;
  const carrying = fairness.people.filter(({ hours }) => hours > 0);
  const hours = carrying.reduce((sum, line) => sum + line.hours, 0);
  return (
    <dl className={classes.summary}>
      <Figure name="Pages" value={figure(all)}>
        {all === 0
          ? t('none was raised')
          : `${acknowledged} acknowledged${expired > 0 ? `, ${expired} expired` : ''}`}
      </Figure>
      <Figure name={t('Time to acknowledge')} value={median === null ? '–' : took(median)}>
        {p95 === null ? t('nothing to measure') : `median; 95 of 100 within ${took(p95)}`}
      </Figure>
      <Figure name="Interrupted" value={counted(load.interrupted_hours, 'hour')}>
        {load.sleep_hours_interrupted === 0
          ? t('none of sleep')
          : `${load.sleep_hours_interrupted} of them of sleep`}
      </Figure>
      <Figure name={t('On call')} value={`${figure(Math.round(hours))} h`}>
        {counted(carrying.length, 'person', 'people')}
        {carrying.length > 1 ? `, ${figure(fairness.spread.from_share)} shifts apart from equal` : ''}
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
