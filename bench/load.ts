import { Agent } from 'node:http';
import { Client } from 'pg';
import { post } from './accept.ts';
import type { Provider } from './latency.ts';
import type { RunningServer } from './server.ts';

/** Far more than are ever in flight, unless the service stalls. */
const CONNECTIONS = 512;

export type LoadResult = {
  /** From the planned time of each request until its answer was read, in milliseconds. */
  answered: number[];
  /** From the planned time until the provider had the page, in milliseconds. */
  provided: number[];
  failures: number;
  /** Pages that were accepted but had not reached the provider when the last one was sent. */
  behind: number;
  lost: number;
};

/**
 * Raises pages at a constant rate without waiting for answers. Latencies count from the planned time of a request, so a
 * stall of one second delays all pages of that second and not just one.
 */
export async function pagesAtRate(
  server: RunningServer,
  provider: Provider,
  perSecond: number,
  seconds: number,
): Promise<LoadResult> {
  await settled(server);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const count = Math.round(perSecond * seconds);
  const began = performance.now();
  const dueAt = (page: number) => began + (page * 1_000) / perSecond;
  const titleOf = (page: number) => `at ${perSecond} a second: ${page}`;
  const answered: number[] = [];
  const accepted: number[] = [];
  let failures = 0;
  const send = async (page: number) => {
    const body = { recipient: 'sre', title: titleOf(page), text: 'measured', urgency: 'low' };
    const status = await post(agent, server, '/page/team', body);
    if (status !== 200) return void failures++;
    answered.push(performance.now() - dueAt(page));
    accepted.push(page);
  };

  const calls: Promise<void>[] = [];
  while (calls.length < count) {
    while (calls.length < count && dueAt(calls.length) <= performance.now()) calls.push(send(calls.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const behind = accepted.filter((page) => !provider.arrived.has(titleOf(page))).length;
  await Promise.all(calls);
  agent.destroy();
  await settled(server);
  const provided = accepted.flatMap((page) => {
    const arrival = provider.arrived.get(titleOf(page));
    return arrival === undefined ? [] : [arrival - dueAt(page)];
  });
  return { answered, provided, failures, behind, lost: accepted.length - provided.length };
}

/** Resolves when no step is due and nothing is being sent. */
export async function settled(server: RunningServer): Promise<void> {
  const client = new Client(server.connection);
  await client.connect();
  try {
    for (;;) {
      const { rows } = await client.query<{ busy: boolean }>(`
        select exists (select from page_steps where state = 'due' and due_at <= now())
          or exists (select from deliveries where state in ('waiting', 'retrying') and due_at <= now())
          or exists (select from deliveries where state = 'sending') as busy`);
      if (!rows[0]?.busy) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    await client.end();
  }
}
