import '@mantine/charts/styles.css';
import '@mantine/core/styles/ColorSwatch.css';
import { BarChart, LineChart } from '@mantine/charts';
import type { ResponsesReport, WeekOfAnswers } from '../../../src/reports/api-contract.ts';
import { CHART_HEIGHT, ChartCard } from './chart-card.tsx';
import classes from './reports.module.css';
import { durationTicks, took } from './words.ts';

const week = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const nameOf = ({ week: monday }: WeekOfAnswers) => week.format(new Date(monday));

/** What is the same for both: calm, without a way in for the keyboard, since a table stands below. */
const CALM = {
  h: CHART_HEIGHT,
  dataKey: 'name',
  accessibilityLayer: false,
  withLegend: true,
  gridColor: 'var(--line)',
  textColor: 'var(--muted)',
  strokeDasharray: '0',
  tickLine: 'none',
  legendProps: { verticalAlign: 'top', height: 32, itemSorter: null },
  xAxisProps: { interval: 'preserveStartEnd', minTickGap: 16, padding: { left: 6, right: 6 } },
} as const;

/** How many pages there were, and how soon somebody took them up. */
export function WeekCharts({ weeks }: Pick<ResponsesReport, 'weeks'>) {
  return (
    <div className={classes.pair}>
      <PagesPerWeek weeks={weeks} />
      <TimeToAcknowledge weeks={weeks} />
    </div>
  );
}

/** How many pages each week had, by urgency. */
function PagesPerWeek({ weeks }: Pick<ResponsesReport, 'weeks'>) {
  return (
    <ChartCard
      title="Pages per week"
      table={{
        head: ['Week of', 'High', 'Medium', 'Low'],
        rows: weeks.map((one) => [nameOf(one), one.pages.high, one.pages.medium, one.pages.low]),
      }}
    >
      <BarChart
        {...CALM}
        className={classes.colours ?? ''}
        data={weeks.map((one) => ({ name: nameOf(one), ...one.pages }))}
        type="stacked"
        series={[
          { name: 'high', label: 'High', color: 'var(--high)' },
          { name: 'medium', label: 'Medium', color: 'var(--medium)' },
          { name: 'low', label: 'Low', color: 'var(--low)' },
        ]}
        barProps={{ isAnimationActive: false }}
        maxBarWidth={36}
        yAxisProps={{ allowDecimals: false, width: 36 }}
        cursorFill="color-mix(in srgb, var(--line) 50%, transparent)"
      />
    </ChartCard>
  );
}

/** The axis ends, and has its marks, at times that people think in. */
function axisOf(weeks: readonly WeekOfAnswers[]) {
  const ticks = durationTicks(Math.max(0, ...weeks.map(({ p95_seconds: seconds }) => seconds ?? 0)));
  return { ticks, domain: [0, ticks.at(-1) ?? 0] };
}

/** How soon somebody took a page up, week by week. */
function TimeToAcknowledge({ weeks }: Pick<ResponsesReport, 'weeks'>) {
  const cell = (seconds: number | null) => (seconds === null ? '–' : took(seconds));
  return (
    <ChartCard
      title="Time to acknowledge"
      table={{
        head: ['Week of', 'Median', '95 of 100 within', 'Acknowledged', 'Expired'],
        rows: weeks.map((one) => [
          nameOf(one),
          cell(one.median_seconds),
          cell(one.p95_seconds),
          one.acknowledged,
          one.expired,
        ]),
      }}
    >
      <LineChart
        {...CALM}
        className={classes.colours ?? ''}
        data={weeks.map((one) => ({
          name: nameOf(one),
          median: one.median_seconds,
          p95: one.p95_seconds,
        }))}
        series={[
          { name: 'median', label: 'Median', color: 'var(--median)' },
          { name: 'p95', label: '95 of 100 within', color: 'var(--p95)', strokeDasharray: '4 3' },
        ]}
        curveType="linear"
        valueFormatter={took}
        lineProps={{ isAnimationActive: false }}
        yAxisProps={{ width: 64, ...axisOf(weeks) }}
      />
    </ChartCard>
  );
}
