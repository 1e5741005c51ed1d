/** `npm run bench`: figures of this machine, each compared with the bare driver in the same run. */
import { freePort } from '../testing/free-port.ts';
import { bareAccepts, bareCommits, ourAccepts } from './accept.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { idleLatencies, startProvider } from './latency.ts';
import { pagesAtRate } from './load.ts';
import { momentBurst } from './moments.ts';
import { startServer } from './server.ts';

/** Duration of each measurement in seconds. `npm test` runs a short form, which only shows that the benchmarks work. */
const SECONDS = Number(process.argv[2] ?? 8);
const BURST = Math.min(50_000, 6_250 * SECONDS);
const IDLE_PAGES = Math.min(300, 40 * SECONDS);

const organization = (webhook: string) => `
organization: { name: Bench, time_zone: UTC }
users:
  - email: ada@example.com
    name: Ada Lovelace
    role: owner
    contact_methods: [ { type: webhook, value: "${webhook}" } ]
teams:
  - { name: SRE, slug: sre, members: [ada@example.com] }
schedules:
  - name: SRE
    team: sre
    time_zone: UTC
    backstop: ada@example.com
    strategy: rotation
    shifts: { every: week, handoff: "Monday 09:00" }
    stages: [ { stage: 1, members: [ada@example.com] } ]
`;

const provider = await startProvider(await freePort());
const server = await startServer(organization(provider.url));
try {
  line('memory of our process after the start', `${(await server.memory()).toFixed(0)} MiB`);
  await idleLatencies(server, provider, Math.min(20, IDLE_PAGES));
  const commits = await bareCommits(server.connection, IDLE_PAGES);
  const idle = await idleLatencies(server, provider, IDLE_PAGES);
  line(
    'bare commit, idle: median, 99th',
    milliseconds(percentile(commits, 0.5)),
    milliseconds(percentile(commits, 0.99)),
  );
  line(
    'accepted to handed to the provider: median, 99th',
    milliseconds(percentile(idle, 0.5)),
    milliseconds(percentile(idle, 0.99)),
  );

  const burst = await momentBurst(server, provider, BURST);
  line('moments over HTTP, 64 connections: a second', burst.perSecond.toFixed(0));
  line(
    'moments: median, 99th, refused',
    milliseconds(percentile(burst.latencies, 0.5)),
    milliseconds(percentile(burst.latencies, 0.99)),
    String(burst.failures),
  );
  line(
    'moments recorded, a second until none waits',
    String(burst.recorded),
    burst.drainedPerSecond.toFixed(0),
  );
  line(
    'pages in that storm: median, 99th, lost',
    milliseconds(percentile(burst.pages, 0.5)),
    milliseconds(percentile(burst.pages, 0.99)),
    String(burst.lostPages),
  );
  line(
    'the same from sending them: median, 99th',
    milliseconds(percentile(burst.pagesFromSending, 0.5)),
    milliseconds(percentile(burst.pagesFromSending, 0.99)),
  );

  await bareAccepts(server.connection, 1);
  const bare = await bareAccepts(server.connection, SECONDS);
  const ours = await ourAccepts(server, SECONDS, {
    recipient: 'sre',
    title: 'Disk full',
    text: 'db-1 has no space left',
    urgency: 'low',
  });
  line('bare driver, 64 connections: pages a second', bare.toFixed(0));
  line('ours over HTTP, 64 connections: pages a second', ours.perSecond.toFixed(0));
  line('ratio', (ours.perSecond / bare).toFixed(2));
  line(
    'ours: median, 99th, refused',
    milliseconds(percentile(ours.latencies, 0.5)),
    milliseconds(percentile(ours.latencies, 0.99)),
    String(ours.failures),
  );
  for (const percent of [50, 90]) {
    const load = await pagesAtRate(server, provider, (ours.perSecond * percent) / 100, SECONDS);
    line(
      `at ${percent} % of that, to the answer: median, 99th, refused`,
      milliseconds(percentile(load.answered, 0.5)),
      milliseconds(percentile(load.answered, 0.99)),
      String(load.failures),
    );
    line(
      `at ${percent} %, to the provider: median, 99th, behind, lost`,
      milliseconds(percentile(load.provided, 0.5)),
      milliseconds(percentile(load.provided, 0.99)),
      String(load.behind),
      String(load.lost),
    );
  }
  line('memory of our process after the load', `${(await server.memory()).toFixed(0)} MiB`);
} finally {
  await server.stop();
  provider.stop();
}
