import { line } from '../figures.ts';
import type { Dashboards } from './dashboards.ts';
import type { Latencies } from './latencies.ts';
import type { Sample } from './samples.ts';
import { type Figure, floors, inHour, mean, trend } from './trends.ts';

const HEADS = 'hour calls pages tabs RSS heap≥ pg-own pg-sh conn files db-MiB'.split(' ');
const LATENCIES: [what: string, head: string][] = [
  ['page', 'accept'],
  ['page → provider', 'to provider'],
  ['call', 'call'],
  ['list', 'list'],
];

const cells = (values: readonly string[], width: number) =>
  values.map((value) => value.padStart(width)).join('');

/** In the short form, hours are shorter than this, and trends are meaningless. */
const LEAST_HOUR_MS = 20_000;

/** Prints the heading of the table. */
export function printHead(): void {
  console.log(
    `MiB; times in ms, median and 99th\n${cells(HEADS, 7)}${cells(
      LATENCIES.map(([, head]) => head),
      15,
    )}`,
  );
}

/** Prints one hour of the day when it is over. */
export function printHour(
  hour: number,
  samples: readonly Sample[],
  latencies: Latencies,
  dashboards: Dashboards,
): void {
  const now = inHour(samples, hour);
  const of = (figure: Figure) => (now.length > 0 ? mean(now.map((sample) => sample[figure])).toFixed(0) : '');
  const heap = now.length > 0 ? Math.min(...now.map((sample) => sample.heap)).toFixed(0) : '';
  const counts = [latencies.count('call', hour), latencies.count('page', hour), dashboards.open];
  const memory = [of('rss'), heap, of('postgresOwn'), of('postgresShared')];
  const rest = [of('connections'), of('files'), of('database')];
  const times = LATENCIES.map(([what]) =>
    latencies.count(what, hour) === 0
      ? ''
      : [0.5, 0.99].map((share) => latencies.at(what, share, hour).toFixed(1)).join(' / '),
  );
  console.log(cells([String(hour), ...counts.map(String), ...memory, ...rest], 7) + cells(times, 15));
}

const TRENDS: [what: string, figure: Figure][] = [
  ['resident memory of the process, MiB', 'rss'],
  ["PostgreSQL's processes, their own memory, MiB", 'postgresOwn'],
  ["PostgreSQL's shared buffers in use, MiB", 'postgresShared'],
  ['connections to the database', 'connections'],
  ['open files and sockets of the process', 'files'],
];

/**
 * Prints the means of the second and the last quarter of the day, their ratio, and the growth per real hour in the
 * second half.
 */
export function printTrends(samples: readonly Sample[], hourMs: number, latencies: Latencies): void {
  line('', 'hours 6–12', 'hours 18–24', 'ratio', 'slope per hour');
  const heap = trend(
    floors(samples).map(({ hour, heap }) => ({ hour, value: heap })),
    hourMs,
  );
  const print = (what: string, { second, last, perHour }: ReturnType<typeof trend>) =>
    line(
      what,
      second.toFixed(1),
      last.toFixed(1),
      (last / second).toFixed(3),
      hourMs < LEAST_HOUR_MS ? '' : perHour.toFixed(2),
    );
  print('heap that lives, MiB', heap);
  for (const [what, figure] of TRENDS)
    print(
      what,
      trend(
        samples.map((sample) => ({ hour: sample.hour, value: sample[figure] })),
        hourMs,
      ),
    );
  // Between the middles of the two quarters.
  const hours = Array.from({ length: 12 }, (_, n) => 9 + n);
  const requests = hours.reduce(
    (sum, hour) => sum + latencies.count('call', hour) + latencies.count('page', hour),
    0,
  );
  const kept = ((heap.last - heap.second) * 1024 * 1024) / requests;
  line('heap kept for each page or call between them, bytes', kept.toFixed(0));
}

/** Prints the latencies of the whole day. */
export function printTimes(latencies: Latencies): void {
  line('times of the whole day', 'how many', 'median', '99th', 'slowest');
  for (const what of [
    'page',
    'page → provider',
    'call',
    'list',
    'status',
    'on-calls',
    'acknowledge',
    'confirm',
  ])
    line(
      what,
      String(latencies.count(what)),
      ...[0.5, 0.99, 1].map((share) => `${latencies.at(what, share).toFixed(1)} ms`),
    );
}
