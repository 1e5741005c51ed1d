import { Agent, request } from 'node:http';
import { Client, type ClientConfig } from 'pg';
import { newId } from '../src/kit/typeid.ts';
import type { RunningServer } from './server.ts';

const CONNECTIONS = 64;

/**
 * The baseline: the same rows through the bare driver, one statement and one commit for each page, over 64 connections.
 * Returns commits per second.
 */
export async function bareAccepts(connection: ClientConfig, seconds: number): Promise<number> {
  return withClients(connection, async (clients) => (await insertPages(clients, seconds)) / seconds);
}

/** Runs `work` with the connections of the baseline. */
export async function withClients<Result>(
  connection: ClientConfig,
  work: (clients: readonly Client[]) => Promise<Result>,
): Promise<Result> {
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connect(connection)));
  try {
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** Inserts pages for this time, as fast as these connections can. Returns their number. */
export async function insertPages(clients: readonly Client[], seconds: number): Promise<number> {
  const { rows } = await (clients[0] as Client).query<{
    organization_id: string;
    user_id: string;
    team_id: string;
  }>(
    'select t.organization_id, t.id as team_id, m.user_id from teams t join team_members m on m.team_id = t.id limit 1',
  );
  const target = rows[0];
  if (!target) throw new Error('there is no team to page');
  const end = performance.now() + seconds * 1_000;
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        await client.query({
          name: 'accept',
          text: INSERT,
          values: [newId('request'), newId('page'), target.organization_id, target.team_id, target.user_id],
        });
        count++;
      }
    }),
  );
  return count;
}

/** The four rows of one accepted page. The page is resolved, so it notifies nobody. */
const INSERT = `
  with request as (
    insert into requests (id, organization_id, kind, status, message, credential, created_at, updated_at, finished_at)
    values ($1, $3, 'page.team', 'succeeded', 'bare', 'bench', now(), now(), now())
  ), page as (
    insert into pages (id, organization_id, request_id, kind, team_id, title, text, urgency, state, reply_code, raised_by, created_at, resolved_at)
    values ($2, $3, $1, 'team', $4, 'Disk full', 'db-1 has no space left', 'low', 'resolved', '1234', $5, now(), now())
  ), step as (
    insert into page_steps (organization_id, page_id, round, kind, due_at, state, done_at) values ($3, $2, 1, 'stage', now(), 'done', now())
  )
  insert into page_events (organization_id, page_id, at, kind, user_id) values ($3, $2, now(), 'raised', $5)`;

async function connect(connection: ClientConfig): Promise<Client> {
  const client = new Client(connection);
  await client.connect();
  return client;
}

/** Durations of single commits on an idle connection, in milliseconds. */
export async function bareCommits(connection: ClientConfig, times: number): Promise<number[]> {
  const client = await connect(connection);
  await client.query(
    'create table if not exists bench_commit (id bigint generated always as identity, at timestamptz)',
  );
  const durations: number[] = [];
  for (let index = 0; index < times; index++) {
    const began = performance.now();
    await client.query({ name: 'commit', text: 'insert into bench_commit (at) values (now())', values: [] });
    durations.push(performance.now() - began);
  }
  await client.query('drop table bench_commit');
  await client.end();
  return durations;
}

export type AcceptResult = {
  perSecond: number;
  latencies: number[];
  failures: number;
  /** When the answer to each accepted request was read, by the number of the request. */
  acceptedAt: Map<number, number>;
};

/** Raises pages through HTTP over 64 connections; an answer means that the page is on disk. `body`: of the request of this number. */
export async function ourAccepts(
  server: Pick<RunningServer, 'url' | 'key'>,
  seconds: number,
  body: (request: number) => Record<string, unknown>,
  { connections = CONNECTIONS, path = '/page/team' } = {},
): Promise<AcceptResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const end = performance.now() + seconds * 1_000;
  const latencies: number[] = [];
  const acceptedAt = new Map<number, number>();
  let [requests, failures] = [0, 0];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const request = requests++;
        const began = performance.now();
        const status = await post(agent, server, path, body(request));
        if (status !== 200) failures++;
        else {
          latencies.push(performance.now() - began);
          acceptedAt.set(request, performance.now());
        }
      }
    }),
  );
  agent.destroy();
  return { perSecond: latencies.length / seconds, latencies, failures, acceptedAt };
}

/** One POST over a keep-alive connection; resolves to the status once the whole answer was read. */
export function post(
  agent: Agent,
  server: Pick<RunningServer, 'url' | 'key'>,
  path: string,
  body: Record<string, unknown>,
): Promise<number> {
  const text = JSON.stringify(body);
  const { promise, resolve } = Promise.withResolvers<number>();
  const outgoing = request(
    server.url + path,
    {
      method: 'POST',
      agent,
      headers: {
        authorization: `Bearer ${server.key}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
    },
    (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    },
  );
  outgoing.on('error', () => resolve(0));
  outgoing.end(text);
  return promise;
}
