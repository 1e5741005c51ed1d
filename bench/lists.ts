/**
 * `npm run bench -- lists [quick]`: how long each list of the dashboard takes in an organization of 200 people, 50
 * schedules, 10,000 pages and 100,000 moments. `npm test` runs the short form, `quick`.
 */
import { createDatabase, createPool } from '../src/db/database.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { type Amounts, fill, organizationOf } from './filling.ts';
import { startServer } from './server.ts';

const isQuick = process.argv[2] === 'quick';
const AMOUNTS: Amounts = isQuick
  ? { pages: 200, moments: 500, people: 20, teams: 4, schedules: 5 }
  : { pages: 10_000, moments: 100_000, people: 200, teams: 20, schedules: 50 };
const TIMES = isQuick ? 2 : 20;

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const LISTS: readonly [name: string, path: string][] = [
  ['Now: who is on call', '/api/on-call'],
  ['Now: open pages', '/api/pages?state=open&limit=100'],
  ['Now: covers for me', '/api/covers'],
  ['Pages: all', '/api/pages?state=all&limit=30'],
  ['Pages: words', '/api/pages?state=all&limit=30&text=region'],
  ['Pages: words that few have', '/api/pages?state=all&limit=30&text=region%204711'],
  ['Moments: open', '/api/moments?state=open,acknowledged&limit=50'],
  ['Moments: all', '/api/moments?limit=50'],
  ['Moments: words', '/api/moments?limit=50&text=db-4711'],
  ['Received notifications', '/api/notifications'],
  ['Schedules', '/api/schedules'],
  [
    'One schedule, eight weeks',
    `/api/schedules/schedule_${'1'.padStart(26, '0')}/shifts?from=${day(-7)}&to=${day(49)}`,
  ],
  ['Teams', '/api/teams'],
  ['People', '/api/people/overview'],
  ['People, for choosing', '/api/people'],
  ['Problems', '/api/problems'],
  ['Requests', '/api/requests?limit=50'],
  ['Audit log', '/api/audit'],
  ['Inbox', '/api/notices'],
];

const server = await startServer(organizationOf(AMOUNTS), {}, 'api');
const db = createDatabase(createPool({ connection: server.connection, max: 2, name: 'bench' }));
try {
  await fill(db, AMOUNTS);
  line('list, on the side of the service', 'median', 'slowest', 'KiB');
  for (const [name, path] of LISTS) {
    const durations: number[] = [];
    let bytes = 0;
    for (let time = 0; time <= TIMES; time++) {
      const began = performance.now();
      const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } });
      bytes = (await answer.arrayBuffer()).byteLength;
      if (answer.status !== 200) throw new Error(`${path} is answered ${answer.status}`);
      // The first run prepares statements, so it is not measured.
      if (time > 0) durations.push(performance.now() - began);
    }
    line(
      name,
      milliseconds(percentile(durations, 0.5)),
      milliseconds(percentile(durations, 1)),
      (bytes / 1_024).toFixed(0),
    );
  }
} finally {
  await db.destroy();
  await server.stop();
}
