import type { ResponsesReport, WeekOfAnswers } from '../../../src/reports/api-contract.ts';
import { formatsIn } from '../kit/time-formats.ts';
import { t, tIn } from '../language/t.ts';
import { ChartCard } from './chart-card.tsx';
import { Bars, Lines } from './marks.tsx';
import { Plot, type Series } from './plot.tsx';
import classes from './reports.module.css';
import { countTicks, durationTicks, figure, took } from './words.ts';

/** Weeks are dates without a zone. */
const nameOf = ({ week: monday }: WeekOfAnswers) => formatsIn('UTC').shortDay(new Date(monday));

/** Pages of each week, and how long it took to acknowledge them. */
export function WeekCharts({ weeks }: Pick<ResponsesReport, 'weeks'>) {
  return (
    <div className={`${classes.pair} ${classes.colours}`}>
      <PagesPerWeek weeks={weeks} />
      <TimeToAcknowledge weeks={weeks} />
    </div>
  );
}

const URGENCIES: readonly Series[] = [
  { name: tIn('urgency', 'High'), colour: 'var(--high)' },
  { name: tIn('urgency', 'Medium'), colour: 'var(--medium)' },
  { name: tIn('urgency', 'Low'), colour: 'var(--low)' },
];

/** Pages of each week, by urgency. */
function PagesPerWeek({ weeks }: Pick<ResponsesReport, 'weeks'>) {
  const names = weeks.map(nameOf);
  const values = weeks.map(({ pages: { high, medium, low } }) => [high, medium, low]);
  const ticks = countTicks(Math.max(0, ...values.map((parts) => parts.reduce((sum, part) => sum + part, 0))));
  return (
    <ChartCard
      title={t('Pages per week')}
      table={{
        head: [t('Week of'), ...URGENCIES.map(({ name }) => name)],
        rows: values.map((parts, index) => [names[index], ...parts]),
      }}
    >
      <Plot series={URGENCIES} words={figure} {...{ names, values, ticks }}>
        <Bars series={URGENCIES} values={values} most={ticks.at(-1) ?? 1} />
      </Plot>
    </ChartCard>
  );
}

const TIMES: readonly Series[] = [
  { name: t('Median'), colour: 'var(--median)' },
  { name: t('95th percentile'), colour: 'var(--p95)', dashed: true },
];

/** Time to acknowledge, week by week. */
function TimeToAcknowledge({ weeks }: Pick<ResponsesReport, 'weeks'>) {
  const names = weeks.map(nameOf);
  const values = weeks.map(({ median_seconds: median, p95_seconds: p95 }) => [median, p95]);
  const ticks = durationTicks(Math.max(0, ...values.map(([, p95]) => p95 ?? 0)));
  const cell = (seconds: number | null) => (seconds === null ? '–' : took(seconds));
  return (
    <ChartCard
      title={t('Time to acknowledge')}
      table={{
        head: [
          t('Week of'),
          t('Median'),
          t('95th percentile'),
          tIn('pages that somebody acknowledged', 'Acknowledged'),
          tIn('pages that expired', 'Expired'),
        ],
        rows: weeks.map((one) => [
          nameOf(one),
          cell(one.median_seconds),
          cell(one.p95_seconds),
          one.acknowledged,
          one.expired,
        ]),
      }}
    >
      <Plot series={TIMES} words={took} {...{ names, values, ticks }}>
        <Lines series={TIMES} values={values} most={ticks.at(-1) ?? 1} />
      </Plot>
    </ChartCard>
  );
}
