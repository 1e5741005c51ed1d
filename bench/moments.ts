import { Agent, request } from 'node:http';
import { Client } from 'pg';
import { post } from './accept.ts';
import type { Provider } from './latency.ts';
import type { RunningServer } from './server.ts';

const CONNECTIONS = 64;
/** Interval of the pages while moments are received and processed. */
const PAGE_EVERY_MS = 200;

export type BurstResult = {
  perSecond: number;
  latencies: number[];
  failures: number;
  /** Moments per second, from the first call until the queue was empty. */
  drainedPerSecond: number;
  recorded: number;
  /** From the answer to a page until it reached the provider, in milliseconds. */
  pages: number[];
  /** From the request of a page until it reached the provider, in milliseconds. */
  pagesFromSending: number[];
  lostPages: number;
};

/** A storm of `moments` alerts over 64 connections, with pages raised meanwhile until all moments are recorded. */
export async function momentBurst(
  server: RunningServer,
  provider: Provider,
  moments: number,
): Promise<BurstResult> {
  const path = await makeWebhook(server);
  const pages = pageMeanwhile(server, provider);
  const began = performance.now();
  const { latencies, failures } = await sendAll(server, path, moments);
  const seconds = (performance.now() - began) / 1_000;
  const recorded = await drained(server);
  const drainSeconds = (performance.now() - began) / 1_000;
  const arrived = await pages.stop();
  return {
    perSecond: latencies.length / seconds,
    ...{ latencies, failures, recorded },
    drainedPerSecond: recorded / drainSeconds,
    pages: arrived.fromAnswer,
    pagesFromSending: arrived.fromSending,
    lostPages: arrived.lost,
  };
}

/** Uses the command line, because no API returns the URL of a webhook to a key. */
export async function makeWebhook(server: RunningServer): Promise<string> {
  const options = ['--team', 'sre', '--name', `Burst ${Date.now()}`, '--type', 'alertmanager'];
  return new URL(await server.command('webhook', 'create', ...options)).pathname;
}

/** The body of one alert from a real Alertmanager, about a kilobyte. */
export function alert(index: number): Record<string, unknown> {
  const labels = {
    alertname: 'DiskWillFill',
    instance: `db-${index}:9100`,
    severity: 'warning',
    cluster: 'eu-1',
  };
  return {
    ...{ version: '4', groupKey: `{}:{instance="db-${index}"}`, status: 'firing', receiver: 'tocsin' },
    ...{
      groupLabels: labels,
      commonLabels: labels,
      externalURL: 'http://alertmanager:9093',
      truncatedAlerts: 0,
    },
    commonAnnotations: { summary: `Disk of db-${index} will be full in two hours` },
    alerts: [
      {
        ...{ status: 'firing', labels, startsAt: '2026-11-20T05:00:00Z', endsAt: '0001-01-01T00:00:00Z' },
        annotations: {
          summary: `Disk of db-${index} will be full in two hours`,
          description: `At the rate of the last six hours no space is left on /var/lib of db-${index}. ${'Details. '.repeat(20)}`,
        },
        generatorURL: 'http://prometheus:9090/graph?g0.expr=predict_linear',
        fingerprint: index.toString(16).padStart(16, '0'),
      },
    ],
  };
}

async function sendAll(
  server: RunningServer,
  path: string,
  moments: number,
): Promise<{ latencies: number[]; failures: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latencies: number[] = [];
  let failures = 0;
  let next = 0;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (next < moments) {
        const body = JSON.stringify(alert(next++));
        const began = performance.now();
        const status = await send(agent, server.url + path, body);
        if (status === 200) latencies.push(performance.now() - began);
        else failures++;
      }
    }),
  );
  agent.destroy();
  return { latencies, failures };
}

function send(agent: Agent, url: string, body: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const outgoing = request(url, { method: 'POST', agent, headers }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
  });
  outgoing.on('error', () => resolve(0));
  outgoing.end(body);
  return promise;
}

/** Resolves to the number of moments once the queue is empty. */
export async function drained(server: RunningServer): Promise<number> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ waits: boolean }>(
        "select exists (select from received_notifications where state = 'queued') as waits",
      );
      if (!rows[0]?.waits) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { rows } = await client.query<{ count: number }>('select count(*)::integer as count from moments');
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

type Arrivals = { fromAnswer: number[]; fromSending: number[]; lost: number };

function pageMeanwhile(server: RunningServer, provider: Provider): { stop(): Promise<Arrivals> } {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const pages = new Map<string, { sentAt: number; acceptedAt: number }>();
  const calls: Promise<void>[] = [];
  const timer = setInterval(() => {
    const title = `in the storm ${calls.length}`;
    const page = { recipient: 'sre', title, text: 'measured', urgency: 'low' };
    const sentAt = performance.now();
    calls.push(
      post(agent, server, '/page/team', page).then(
        () => void pages.set(title, { sentAt, acceptedAt: performance.now() }),
      ),
    );
  }, PAGE_EVERY_MS);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(calls);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      agent.destroy();
      const arrived = [...pages].flatMap(([title, times]) => {
        const at = provider.arrived.get(title);
        return at === undefined ? [] : [{ ...times, at }];
      });
      return {
        fromAnswer: arrived.map(({ at, acceptedAt }) => at - acceptedAt),
        fromSending: arrived.map(({ at, sentAt }) => at - sentAt),
        lost: pages.size - arrived.length,
      };
    },
  };
}
