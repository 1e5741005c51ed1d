import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster } from '../testing/processes.ts';
import { signIn } from '../testing/signed-in.ts';
import { webhookPeople } from '../testing/story.ts';
import type { PlaceOptions } from './place.ts';

export type Calls = {
  /** Stops sending. Returns how many calls were accepted, and broken promises as sentences. */
  settle(): Promise<{ accepted: number; broken: string[] }>;
};

/** With a team, because webhooks belong to teams. */
export const withTeam: PlaceOptions = {
  organization: (receiver) => ({
    people: webhookPeople(receiver, 'ada'),
    teams: { sre: { members: ['ada'] } },
  }),
};

const CLIENTS = 4;
const EVERY_MS = 50;
const ANSWER_WITHIN_MS = 25_000;
/** Time in which all accepted calls must be processed. */
const READ_WITHIN_MS = 45_000;

/** Creates a webhook as an owner does, and returns its path. */
async function webhookPath({ db, clock, acme }: Cluster, url: string): Promise<string> {
  await db.updateTable('users').set({ role: 'owner' }).where('organization_id', '=', acme.id).execute();
  const ada = await signIn({ db, clock, url, acme }, 'ada');
  const made = await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'calls', type: 'custom' });
  if (made.status !== 201)
    throw new Error(`the webhook was answered ${made.status}: ${JSON.stringify(made.body)}`);
  return new URL(made.body.url).pathname;
}

/**
 * Calls a webhook continuously. Each call has its own idempotency key and is repeated until it is accepted; each must
 * become exactly one moment.
 */
export async function startCalls(cluster: Cluster, url: string): Promise<Calls> {
  return callContinuously(cluster, () => url, await webhookPath(cluster, url));
}

/** The same with the path of a webhook for moments that exists. `target`: the node that is called next. */
export function callContinuously(
  cluster: Cluster,
  target: () => string,
  path: string,
  clientCount = CLIENTS,
): Calls {
  const accepted: string[] = [];
  let number = 0;
  let over = false;

  async function callUntilAccepted(name: string): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      const answer = await fetch(target() + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': name },
        body: JSON.stringify({ name, type: 'Alert', source: 'faults', description: 'x' }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      }).catch(() => null);
      const text = (await answer?.text().catch(() => '')) ?? '';
      if (answer?.status === 200 && text !== '') return void accepted.push(name);
      await delay(100);
    }
    throw new Error(`${name} was not accepted`);
  }

  const clients = Promise.all(
    Array.from({ length: clientCount }, async () => {
      while (!over) await Promise.all([callUntilAccepted(`call ${++number}`), delay(EVERY_MS)]);
    }),
  );
  // The error is reported by `settle`.
  clients.catch(() => undefined);
  return {
    async settle() {
      over = true;
      await clients;
      const moments = await momentsOf(cluster, accepted);
      const lost = accepted.filter((name) => !moments.has(name));
      const doubled = accepted.filter((name) => (moments.get(name) ?? 0) > 1);
      const broken = [
        ...(accepted.length === 0 ? ['no call of a webhook was accepted'] : []),
        ...(lost.length > 0
          ? [`calls that became no moment: ${lost.length} (${lost.slice(0, 3).join(', ')})`]
          : []),
        ...(doubled.length > 0 ? [`calls that became two moments: ${doubled.slice(0, 3).join(', ')}`] : []),
      ];
      return { accepted: accepted.length, broken };
    },
  };
}

/** The number of moments of each name, once all exist. */
async function momentsOf({ db }: Cluster, names: readonly string[]): Promise<Map<string, number>> {
  for (const deadline = performance.now() + READ_WITHIN_MS; ; await delay(200)) {
    const { rows } = await sql<{ name: string; n: number }>`
      select name, count(*)::integer as n from moments where source = 'faults' group by name`.execute(db);
    const counts = new Map(rows.map(({ name, n }) => [name, n]));
    if (names.every((name) => counts.has(name)) || performance.now() > deadline) return counts;
  }
}
