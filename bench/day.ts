/**
 * `npm run bench -- day [MINUTES]`: the traffic of a large organization's day within MINUTES (default 60), on one
 * server as `npm start` runs it. A ledger records everything that was accepted; memory, connections and latencies are
 * printed for each hour of the day. Exits with 1 when a promise was broken.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Client as Connection } from 'pg';
import { seededRandom } from '../faults/random.ts';
import { freePort } from '../testing/free-port.ts';
import { createCalls } from './day/calls.ts';
import { createClient } from './day/client.ts';
import { createDashboards, type Dashboards } from './day/dashboards.ts';
import { allDay, HOURS, inStorms, planDay, totals } from './day/hours.ts';
import { noteLatencies } from './day/latencies.ts';
import { judgeCalls, judgePages } from './day/ledger.ts';
import { ADMINS, email, organizationOf } from './day/organization.ts';
import { createPages, startReceiver } from './day/pages.ts';
import { printHead, printHour, printTimes, printTrends } from './day/print.ts';
import { createPrograms } from './day/programs.ts';
import { createSampling, type Sampling } from './day/samples.ts';
import { line } from './figures.ts';
import { type RunningServer, startServer } from './server.ts';

const MINUTES = Number(process.argv[2] ?? 60);
/** People whose keys the dashboards use; few, because creating a key takes a second. */
const WATCHERS = Math.min(ADMINS, Math.ceil(MINUTES));
/** How long late answers may take after the day: an hour of the compressed day, and a minute for a slow machine. */
const PATIENCE_MINUTES = 60;
const PATIENCE_MS = 60_000;

const day = planDay(MINUTES);
const random = seededRandom(20_261_120);
const latencies = noteLatencies(day.hour);
const receiver = await startReceiver(await freePort());
const server = await startServer(organizationOf(receiver.url, day.minutesMs(5)));
const connection = new Connection(server.connection);
const client = createClient(server.url, server.key, latencies);
try {
  await connection.connect();
  const pages = createPages(client, day, random, latencies, receiver);
  const calls = await createCalls(client, server.command, random);
  const dashboards = createDashboards(client, day, random, await watcherKeys(server));
  const programs = createPrograms(client, day, random, server.command);
  const sampling = createSampling(server, connection, day);
  line(`a day in ${MINUTES} minutes: pages, calls of webhooks`, ...totals(day).map(String));
  day.begin();
  await Promise.all([
    allDay(day, day.pages, pages.raise),
    allDay(day, day.calls, calls.send),
    inStorms(day, (storm) => storm.pages, pages.raise),
    inStorms(day, (storm) => storm.calls, calls.alarm),
    ...[dashboards.watch(), programs.run(), sampling.run(), printHours(sampling, dashboards)],
  ]);
  const patienceMs = day.minutesMs(PATIENCE_MINUTES) + PATIENCE_MS;
  const broken = (await pages.settled(patienceMs)) ? [] : ['not everybody who wanted to answer could'];
  printTrends(sampling.samples, day.hourMs, latencies);
  printTimes(latencies);
  line(
    'dashboards: most at once, opened, events they heard',
    String(dashboards.most),
    String(dashboards.opened),
    String(dashboards.events),
  );
  for (const ledger of [await judgePages(pages, connection), await judgeCalls(calls, connection)]) {
    for (const [what, ...figures] of ledger.figures) line(what, ...figures.map(String));
    broken.push(...ledger.broken);
  }
  broken.push(...dashboards.refused.slice(0, 3), ...programs.refused.slice(0, 3));
  line('promises that did not hold', String(broken.length));
  for (const sentence of broken) console.log(`  ${sentence}`);
  process.exitCode = broken.length > 0 ? 1 : 0;
} finally {
  client.stop();
  await connection.end();
  await server.stop();
  receiver.stop();
}

async function watcherKeys({ key, command }: RunningServer): Promise<string[]> {
  const others = Array.from({ length: WATCHERS - 1 }, (_, n) =>
    command('key', 'create', '--user', email(n + 1), '--name', 'dashboard', '--full'),
  );
  return [key, ...(await Promise.all(others))];
}

/** Prints each hour of the day when it is over. */
async function printHours({ samples }: Sampling, dashboards: Dashboards): Promise<void> {
  printHead();
  for (let hour = 0; hour < HOURS; hour++) {
    while (day.hour() < hour + 1) await delay(Math.min(1_000, day.hourMs / 5));
    printHour(hour, samples, latencies, dashboards);
  }
}
