import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Cluster } from '../testing/processes.ts';
import { signIn } from '../testing/signed-in.ts';
import type { Load, SentPage } from './load.ts';
import type { Random } from './random.ts';

/** A monitoring system whose events are a load of pages. The pages that it leaves open have to arrive. */
export type Events = Load & {
  /**
   * Broken promises about the pages of all its keys, as sentences. Call it after the load has ended. `apart`: nodes
   * used databases of their own for some time, so a key had several open pages until these were merged.
   */
  judge(apart?: boolean): Promise<string[]>;
  keys(): number;
};

const CLIENTS = 6;
const ANSWER_WITHIN_MS = 25_000;
const TRIES = 600;
/** Time in which all accepted calls must be processed: longer than the lease of a call whose node is frozen. */
const READ_WITHIN_MS = 60_000;

/** Creates a page source as an owner does, and returns its path. */
async function sourcePath({ db, clock, acme }: Cluster, url: string): Promise<string> {
  await db.updateTable('users').set({ role: 'owner' }).where('organization_id', '=', acme.id).execute();
  const ada = await signIn({ db, clock, url, acme }, 'ada');
  const made = await ada.call('POST', '/api/sources', { team: 'sre', name: 'events', type: 'custom' });
  if (made.status !== 201)
    throw new Error(`the source was answered ${made.status}: ${JSON.stringify(made.body)}`);
  return new URL(made.body.url).pathname;
}

/**
 * Sends the events of many dedup keys, each trigger to all nodes at once, as two senders of a cluster do. Some keys stay open;
 * the others are resolved once their triggers are accepted, and some of those are triggered again. Each call has its own
 * idempotency key and is repeated until it is accepted.
 */
export async function startEvents(
  cluster: Cluster,
  {
    targets,
    random,
    name,
    clients: count = CLIENTS,
  }: { targets(): readonly string[]; random: Random; name: string; clients?: number },
): Promise<Events> {
  const path = await sourcePath(cluster, targets()[0] ?? '');
  const accepted: SentPage[] = [];
  const answers = new Map<number, number>();
  const [resolved, triggeredAgain]: [string[], string[]] = [[], []];
  let [number, calls, longestMs, over] = [0, 0, 0, false];

  async function ask(target: string, idempotencyKey: string, body: unknown): Promise<string | null> {
    const response = await fetch(target + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).catch(() => null);
    const text = (await response?.text().catch(() => '')) ?? '';
    const status = text === '' ? 0 : (response?.status ?? 0);
    answers.set(status, (answers.get(status) ?? 0) + 1);
    return status === 200 ? (JSON.parse(text) as { service_request_id: string }).service_request_id : null;
  }

  async function untilAccepted(
    body: { dedup_key: string; title: string; action?: string },
    first: string,
  ): Promise<SentPage> {
    const key = `${name} call ${++calls}`;
    const begun = Date.now();
    let target = first;
    for (let tries = 1; tries < TRIES; tries++) {
      const sentAt = Date.now();
      const requestId = await ask(target, key, body);
      if (requestId !== null) {
        const acceptedAt = Date.now();
        longestMs = Math.max(longestMs, acceptedAt - begun);
        return { title: body.title, requestId, sentAt, acceptedAt, tries };
      }
      await delay(100);
      target = random.pick(targets());
    }
    throw new Error(`${key} was not accepted`);
  }

  const trigger = (key: string, title: string) => {
    const body = { title, dedup_key: key, urgency: 'low' };
    return Promise.all(targets().map((target) => untilAccepted(body, target)));
  };

  async function lifeOfKey(): Promise<void> {
    const key = `${name} ${++number}`;
    const [sent] = await trigger(key, key);
    if (!sent) throw new Error('There is no node to send events to.');
    const course = random.pick(['open', 'resolved', 'open again'] as const);
    if (course === 'open') return void accepted.push(sent);
    await untilAccepted({ action: 'resolve', dedup_key: key, title: key }, random.pick(targets()));
    if (course === 'resolved') return void resolved.push(key);
    await trigger(key, `${key} again`);
    triggeredAgain.push(key);
  }

  const clients = Promise.all(
    Array.from({ length: count }, async () => {
      while (!over) await Promise.all([lifeOfKey(), delay(100)]);
    }),
  );
  // The error is reported by `end`.
  clients.catch(() => undefined);
  return {
    ...{ accepted, answers, keys: () => number },
    get longestMs() {
      return longestMs;
    },
    async end() {
      over = true;
      await clients;
      return accepted;
    },
    judge: (apart = false) =>
      judgeKeys(
        cluster,
        { open: [...accepted.map(({ title }) => title), ...triggeredAgain], resolved },
        apart,
      ),
  };
}

/** `together`: two of its pages were open at once, by the order of the events, which are written while the key is locked. */
type KeyOfPages = { key: string; open: number; together: boolean };

async function judgeKeys(
  { db }: Cluster,
  keys: { open: readonly string[]; resolved: readonly string[] },
  apart: boolean,
): Promise<string[]> {
  const unprocessed = await untilProcessed(db);
  const { rows } = await sql<KeyOfPages>`
    with course as (
      select p.dedup_key as key, p.id, p.state, min(e.id) filter (where e.kind = 'raised') as raised,
        max(e.id) filter (where e.kind = 'resolved') as resolved
      from pages p join page_events e on e.page_id = p.id where p.dedup_key is not null group by p.id
    )
    select key, count(*) filter (where state <> 'resolved')::integer as open,
      bool_or(next_raised is not null and (resolved is null or next_raised < resolved)) as together
    from (select *, lead(raised) over (partition by key order by raised) as next_raised from course) one group by key`.execute(
    db,
  );
  const found = new Map(rows.map((row) => [row.key, row]));
  const some = (what: string, names: readonly string[]) =>
    names.length > 0 ? [`${what}: ${names.length} (${names.slice(0, 3).join(', ')})`] : [];
  return [
    ...(unprocessed > 0 ? [`${unprocessed} accepted events were not processed in time`] : []),
    ...(keys.open.length * keys.resolved.length === 0 ? ['too few events were accepted'] : []),
    ...some(
      'triggered last, and no page is open',
      keys.open.filter((key) => found.get(key)?.open !== 1),
    ),
    ...some(
      'resolved last, and a page is open',
      keys.resolved.filter((key) => (found.get(key)?.open ?? 0) > 0),
    ),
    ...some(
      'two pages open at once for one key',
      rows.filter(({ together }) => together && !apart).map(({ key }) => key),
    ),
  ];
}

/** Returns the number of calls that are not processed in time. */
async function untilProcessed(db: Cluster['db']): Promise<number> {
  let left = 0;
  for (const deadline = performance.now() + READ_WITHIN_MS; performance.now() < deadline; await delay(200)) {
    const rows = await db
      .selectFrom('received_notifications')
      .select('id')
      .where('state', '=', 'queued')
      .execute();
    left = rows.length;
    if (left === 0) break;
  }
  return left;
}
