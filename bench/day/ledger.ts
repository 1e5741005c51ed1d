import { setTimeout as delay } from 'node:timers/promises';
import type { Client as Connection } from 'pg';
import type { Calls, Told } from './calls.ts';
import type { KnownPage, Pages } from './pages.ts';
import { NUMBER } from './senders.ts';

/** Figures to print, and broken promises as sentences. */
export type Ledger = { figures: [what: string, ...figures: number[]][]; broken: string[] };

function check(broken: string[], what: string, wrong: readonly string[]): number {
  if (wrong.length > 0) broken.push(`${what}: ${wrong.length} (${wrong.slice(0, 3).join('; ')})`);
  return wrong.length;
}

/** Checks that every accepted page arrived or its request says why not, and that nothing was sent after the answer. */
export async function judgePages(pages: Pages, connection: Connection): Promise<Ledger> {
  const { rows } = await connection.query<{ id: string; title: string; status: string; state: string }>(
    'select r.id, p.title, r.status, p.state from pages p join requests r on r.id = p.request_id',
  );
  const byTitle = Map.groupBy(rows, ({ title }) => title);
  const known = [...pages.known.values()];
  const titles = (which: (page: KnownPage) => boolean) => known.filter(which).map(({ title }) => title);
  const rowOf = ({ title }: KnownPage) => byTitle.get(title)?.[0];
  const broken: string[] = [];
  const failed = known.filter(
    (page) => page.arrivals.length === 0 && rowOf(page)?.status === 'failed',
  ).length;
  const lost = check(
    broken,
    'accepted pages that never arrived, and whose request does not say why',
    titles((page) => page.arrivals.length === 0 && rowOf(page)?.status !== 'failed'),
  );
  const late = check(
    broken,
    'pages that were sent again after they had been answered',
    titles(
      ({ arrivals, answeredAt }) => answeredAt !== null && arrivals.some(({ sentAt }) => sentAt > answeredAt),
    ),
  );
  const twice = titles(({ arrivals }) => again(arrivals).length > 0);
  check(
    broken,
    'pages of which a notification came twice and was not marked as a repeat',
    titles(({ arrivals }) => again(arrivals).some(({ repeat }) => !repeat)),
  );
  check(
    broken,
    'pages that are not there, or more than once',
    titles(({ title }) => byTitle.get(title)?.length !== 1),
  );
  check(
    broken,
    'answered pages that still notify',
    titles(
      (page) => page.answeredAt !== null && !['acknowledged', 'resolved'].includes(rowOf(page)?.state ?? ''),
    ),
  );
  check(
    broken,
    'arrived pages whose request has not succeeded',
    titles((page) => page.arrivals.length > 0 && rowOf(page)?.status !== 'succeeded'),
  );
  check(broken, 'answers and polls that went wrong', pages.failures);
  if (pages.refused > 0) broken.push(`pages that were not accepted: ${pages.refused}`);
  const climbed = titles(({ answer, answeredAt }) => answer === 'climbs' && answeredAt !== null).length;
  return {
    figures: [
      ['pages accepted, refused', known.length, pages.refused],
      ['pages lost, failed with a reason', lost, failed],
      [
        'notifications of them, the same twice',
        known.reduce((sum, { arrivals }) => sum + arrivals.length, 0),
        twice.length,
      ],
      [
        'pages answered, of these after they had climbed',
        titles(({ answeredAt }) => answeredAt !== null).length,
        climbed,
      ],
      ['pages sent after their answer', late],
      ['notices that arrived beside them', pages.notices],
    ],
    broken,
  };
}

/** Notifications that arrived more than once. */
function again(arrivals: KnownPage['arrivals']): KnownPage['arrivals'] {
  return [...Map.groupBy(arrivals, ({ deliveryId }) => deliveryId).values()].flatMap((same) => same.slice(1));
}

type Recorded = { number: number; moments: number; state: string; calls: number };

/**
 * Checks that every call was recorded, and that each thing has one moment with all its calls, resolved if its sender
 * resolved it.
 */
export async function judgeCalls(calls: Calls, connection: Connection): Promise<Ledger> {
  const states = await untilRead(connection);
  const { rows } = await connection.query<Recorded>(`
    select number, count(*)::integer as moments, min(state) as state, sum(calls)::integer as calls
    from (
      select substring(m.name from '${NUMBER}')::integer as number, m.state,
        (select count(*) from notification_moments n where n.moment_id = m.id) as calls
      from moments m
    ) recorded group by number`);
  const recorded = new Map(rows.map((row) => [row.number, row]));
  const told = [...calls.told.values()].filter((thing) => thing.calls > 0);
  const numbers = (which: (thing: Told, row: Recorded | undefined) => boolean) =>
    told.filter((thing) => which(thing, recorded.get(thing.number))).map(({ number }) => String(number));
  const broken: string[] = [];
  const missing = check(
    broken,
    'things without a moment',
    numbers((_, row) => !row),
  );
  check(
    broken,
    'things with more than one moment',
    numbers((_, row) => (row?.moments ?? 1) > 1),
  );
  const miscounted = check(
    broken,
    'moments that do not know of all their calls',
    numbers((thing, row) => row !== undefined && row.calls !== thing.calls),
  );
  check(
    broken,
    'moments that are not over although their sender said so, or the other way round',
    numbers((thing, row) => row !== undefined && (row.state === 'resolved') !== thing.resolved),
  );
  const all = Object.values(states).reduce((sum, count) => sum + count, 0);
  if (all !== calls.accepted) broken.push(`${calls.accepted} calls were accepted and ${all} are recorded`);
  if ((states.ignored ?? 0) !== calls.repeated)
    broken.push(`${calls.repeated} deliveries were repeated and ${states.ignored ?? 0} ignored`);
  for (const state of ['error', 'queued'])
    if (states[state]) broken.push(`${states[state]} calls are ${state}`);
  if (calls.refused > 0) broken.push(`calls that were not accepted: ${calls.refused}`);
  return {
    figures: [
      ['calls of webhooks accepted, refused', calls.accepted, calls.refused],
      ['of these recorded, ignored as repeated deliveries', all, states.ignored ?? 0],
      ['moments they made, missing, miscounted', rows.length, missing, miscounted],
    ],
    broken,
  };
}

/** Waits until no call is queued, then returns the number of calls in each state. */
async function untilRead(connection: Connection): Promise<Record<string, number>> {
  for (const end = performance.now() + 120_000; ; await delay(200)) {
    const { rows } = await connection.query<{ state: string; count: number }>(
      'select state, count(*)::integer as count from received_notifications group by state',
    );
    const states = Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    if (!states.queued || performance.now() > end) return states;
  }
}
