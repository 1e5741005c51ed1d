import { freePort } from '../testing/free-port.ts';
import { bareAccepts, bareCommits, ourAccepts } from './accept.ts';
import { line, milliseconds, percentile } from './figures.ts';
import { idleLatencies, type Provider, startProvider } from './latency.ts';
import { pagesAtRate, settled } from './load.ts';
import { momentBurst } from './moments.ts';
import { type RunningServer, startServer } from './server.ts';

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

type Bench = { server: RunningServer; provider: Provider };

/** Runs `measure` with a server and a provider of its own, and prints the memory of the server before and after. */
export async function withBench(measure: (bench: Bench) => Promise<void>): Promise<void> {
  const provider = await startProvider(await freePort());
  const server = await startServer(organization(provider.url));
  const memory = async () => `${(await server.memory()).toFixed(0)} MiB`;
  try {
    line('memory of our process after the start', await memory());
    await measure({ server, provider });
    line('memory of our process after the load', await memory());
  } finally {
    await server.stop();
    provider.stop();
  }
}

/** Lets both programs compile their code, so that figures do not depend on which part is measured first. */
export async function warmUp({ server }: Bench, seconds: number): Promise<void> {
  await ourAccepts(server, seconds, () => ({
    recipient: 'sre',
    title: 'warm-up',
    text: 'measured',
    urgency: 'low',
  }));
  await settled(server);
}

/** How long one page after another takes to the provider, and single commits of the bare driver. */
export async function measureIdle({ server, provider }: Bench, pages: number): Promise<void> {
  await idleLatencies(server, provider, Math.min(20, pages));
  const commits = await bareCommits(server.connection, pages);
  const idle = await idleLatencies(server, provider, pages);
  line('bare commit, idle: median, 99th', ...medianAnd99th(commits));
  line('accepted to handed to the provider: median, 99th', ...medianAnd99th(idle));
}

/** A storm of calls of webhooks, and pages meanwhile. */
export async function measureStorm({ server, provider }: Bench, calls: number): Promise<void> {
  const burst = await momentBurst(server, provider, calls);
  line('moments over HTTP, 64 connections: a second', burst.perSecond.toFixed(0));
  line('moments: median, 99th, refused', ...medianAnd99th(burst.latencies), String(burst.failures));
  line(
    'moments recorded, a second until none waits',
    String(burst.recorded),
    burst.drainedPerSecond.toFixed(0),
  );
  line('pages in that storm: median, 99th, lost', ...medianAnd99th(burst.pages), String(burst.lostPages));
  line('the same from sending them: median, 99th', ...medianAnd99th(burst.pagesFromSending));
}

/** As many pages as 64 connections can send, compared with the bare driver, and then fewer at constant rates. */
export async function measurePages(bench: Bench, seconds: number): Promise<void> {
  const { server, provider } = bench;
  await bareAccepts(server.connection, 1);
  const bare = await bareAccepts(server.connection, seconds);
  line('bare driver, 64 connections: pages a second', bare.toFixed(0));
  const accepted = await floodOfPages(bench, seconds);
  line('ratio', (accepted / bare).toFixed(2));
  for (const percent of [50, 90]) {
    const load = await pagesAtRate(server, provider, (accepted * percent) / 100, seconds);
    line(
      `at ${percent} % of that, to the answer: median, 99th, refused`,
      ...medianAnd99th(load.answered),
      String(load.failures),
    );
    line(
      `at ${percent} %, to the provider: median, 99th, behind, lost`,
      ...medianAnd99th(load.provided),
      String(load.behind),
      String(load.lost),
    );
  }
}

/**
 * Returns how many pages were accepted a second. Prints how many were sent meanwhile, because a rate at which pages are accepted
 * but not sent does not last.
 */
async function floodOfPages({ server, provider }: Bench, seconds: number): Promise<number> {
  const title = (page: number) => `of the flood ${page}`;
  const ours = await ourAccepts(server, seconds, (page) => ({
    recipient: 'sre',
    title: title(page),
    text: 'db-1 has no space left',
    urgency: 'low',
  }));
  const pages = [...ours.acceptedAt.keys()];
  const sent = pages.filter((page) => provider.arrived.has(title(page))).length;
  await settled(server);
  const ages = [...ours.acceptedAt].flatMap(([page, at]) => {
    const arrival = provider.arrived.get(title(page));
    return arrival === undefined ? [] : [arrival - at];
  });
  line('ours over HTTP, 64 connections: pages a second', ours.perSecond.toFixed(0));
  line('ours: median, 99th, refused', ...medianAnd99th(ours.latencies), String(ours.failures));
  line('ours, sent meanwhile: a second, behind', (sent / seconds).toFixed(0), String(pages.length - sent));
  line('ours, from the answer to the provider: median, 99th', ...medianAnd99th(ages));
  return ours.perSecond;
}

function medianAnd99th(values: readonly number[]): [string, string] {
  return [milliseconds(percentile(values, 0.5)), milliseconds(percentile(values, 0.99))];
}
