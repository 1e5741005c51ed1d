import { setTimeout as delay } from 'node:timers/promises';
import { isDatabaseAway } from '../../src/db/away.ts';
import { webhookPeople } from '../../testing/story.ts';
import { startEvents } from '../events.ts';
import { broken as brokenOf, judge, titleOf, untilArrived } from '../ledger.ts';
import type { SentPage } from '../load.ts';
import { seconds as inSeconds, type Place, type PlaceOptions, percentile, type Server } from '../place.ts';
import { type MortalPostgres, mortalPostgres } from '../postgres.ts';
import type { Scenario, Stage } from '../scenario.ts';

/** The time of the first stage of the team; then the second is notified. */
const STAGE_MS = 6_000;
/** A page that is this late was not escalated on time. It leaves room for the restart of a node on a busy machine. */
const LATE_MS = 30_000;
/**
 * The notifications that may be repeated: those of pages that were accepted in the second before the database died or a
 * node was killed.
 */
const REPEATS = 150;
/** The bound on a landing: some time for a busy machine, and a quarter of the outage, during which requests accumulated. */
const landedWithinMs = (seconds: number) => 90_000 + (seconds * 1_000) / 4;
const PROMPTLY_MS = 90_000;
const SAME_KEY = 'the same key on two nodes';

const TWO_STAGES: PlaceOptions = {
  organization: (receiver) => ({
    people: webhookPeople(receiver, 'ada', 'grace'),
    teams: {
      sre: {
        members: ['ada', 'grace'],
        schedules: [{ stages: [['ada'], ['grace']], delay: STAGE_MS / 60_000 }],
      },
    },
  }),
  env: { LIFEBOAT: 'on', LIFEBOAT_AFTER_SECONDS: '3' },
};

export const lifeboat: Scenario = {
  name: 'lifeboat',
  promise:
    'with LIFEBOAT=on, no PostgreSQL for minutes; a node is killed meanwhile, and PostgreSQL again while the lifeboats land: pages and events of a source are accepted and escalate, and afterwards each exists once, with one open page for each key',
  inShortForm: true,
  async run(stage) {
    const postgres = await mortalPostgres();
    try {
      return await duringAnOutage(stage, postgres);
    } finally {
      await postgres.remove();
    }
  },
};

async function duringAnOutage({ place, seconds, short, random }: Stage, postgres: MortalPostgres) {
  const at = await place({ ...TWO_STAGES, postgres });
  const servers = [await at.start('all'), await at.start('all')];
  const [one, two] = servers as [Server, Server];
  const events = at.watch(
    await startEvents(at.cluster, {
      targets: () => servers.map(({ url }) => url),
      random,
      name: 'key',
      clients: 2,
    }),
  );
  // A lifeboat copies the configuration when its node starts, and the source with it.
  const made = Temporal.Now.instant();
  for (const server of servers) await server.replace('SIGTERM', 0);
  const copied = await until(async () =>
    (await lifeboats(at)).every(({ copied_at: time }) => time && Temporal.Instant.compare(time, made) > 0),
  );
  if (!copied) throw new Error('The lifeboats did not copy the source.');
  const load = at.load({ targets: () => [one.url], perSecond: short ? 10 : 30 });
  const teams = at.load({
    targets: () => [two.url],
    perSecond: 2,
    page: { path: '/page/team', recipient: 'sre', urgency: 'high' },
    name: 'team',
  });
  await delay(3_000);

  await postgres.end('SIGKILL');
  const began = Date.now();
  await until(async () => load.accepted.some(({ sentAt }) => sentAt > began + 1_000));
  const [firstAfloat] = load.accepted.filter(({ sentAt }) => sentAt > began + 1_000);
  await delay(short ? 5_000 : seconds * 500);
  await one.replace('SIGKILL', 0).catch(() => undefined);
  await sameKey(at, servers);
  await delay(short ? 5_000 : seconds * 500);
  const takenAfloat = load.accepted.length + teams.accepted.length;

  await postgres.start();
  await until(async () => (await requests(at)) >= takenAfloat / 3);
  await postgres.end('SIGKILL');
  await delay(short ? 2_000 : 20_000);
  await postgres.start();
  const backAt = Date.now();

  const pages = await teams.end();
  await events.end();
  const verdict = await at.settle(load, {
    repeats: REPEATS,
    forgetful: true,
    except: (title) => title === SAME_KEY || /^(team|key) /.test(title),
    withinMs: landedWithinMs(seconds),
  });
  const landed = await landing(at, landedWithinMs(seconds));
  const landedAfterMs = Date.now() - backAt;
  const ofTeam = judge(
    pages,
    at.receiver.received.filter(({ body }) => titleOf(body).startsWith('team ')),
    true,
  );
  const late = await untilEscalated(at, pages);
  verdict.broken.push(
    ...landed,
    ...brokenOf(ofTeam, REPEATS),
    ...late,
    ...(await events.judge(true)),
    ...(await neverArrived(at, events.accepted)),
    ...(await notOnce(at, [...load.accepted, ...pages])),
  );
  await at.end();
  return {
    ...verdict,
    figures: {
      'took pages again after': inSeconds((firstAfloat?.acceptedAt ?? Number.NaN) - began),
      'pages of a team': pages.length,
      'dedup keys': events.keys(),
      'all landed, at the latest after': inSeconds(landedAfterMs),
      'repeats of these': ofTeam.repeats,
      'their first stage, 99th': inSeconds(percentile(ofTeam.latencies, 0.99)),
      ...verdict.figures,
    },
  };
}

async function until(isSo: () => Promise<boolean>, withinMs = PROMPTLY_MS): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await delay(100)) {
    const so = await isSo().catch((error: unknown) => {
      if (isDatabaseAway(error)) return false;
      throw error;
    });
    if (so) return true;
  }
  return false;
}

function lifeboats({ cluster }: Place) {
  return cluster.db.selectFrom('lifeboats').selectAll().execute();
}

async function requests({ cluster }: Place): Promise<number> {
  const { n } = await cluster.db
    .selectFrom('requests')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow();
  return Number(n);
}

/** Open keys of the source about which nobody was notified. */
async function neverArrived({ receiver }: Place, open: readonly SentPage[]): Promise<string[]> {
  await untilArrived(receiver, open, LATE_MS);
  const arrived = new Set(receiver.received.map(({ body }) => titleOf(body)));
  const missing = open.filter(({ title }) => !arrived.has(title));
  return missing.length === 0
    ? []
    : [`${missing.length} open keys of the source notified nobody, such as ${missing[0]?.title}`];
}

/** A sender that got no answer from one node repeats its request at the other one. */
async function sameKey({ cluster }: Place, servers: readonly Server[]): Promise<void> {
  for (const { url } of servers)
    await until(async () => {
      const answer = await fetch(`${url}/page/person`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${cluster.acme.key}`,
          'content-type': 'application/json',
          'idempotency-key': SAME_KEY,
        },
        body: JSON.stringify({ recipient: 'ada@example.com', urgency: 'low', title: SAME_KEY, text: 'x' }),
      }).catch(() => null);
      return answer?.status === 200;
    });
}

async function landing(at: Place, withinMs: number): Promise<string[]> {
  const ashore = await until(
    async () => (await lifeboats(at)).every(({ state }) => state === 'ashore'),
    withinMs,
  );
  return ashore ? [] : [`the lifeboats had not landed ${withinMs / 1_000} s after the database was back`];
}

/** Pages of the team that reached the second stage late or never. */
async function untilEscalated({ receiver }: Place, pages: readonly SentPage[]): Promise<string[]> {
  const second = () =>
    new Map(
      receiver.received
        .filter(({ path }) => path === '/grace')
        .toReversed()
        .map(({ body, at }) => [titleOf(body), at.getTime()]),
    );
  await until(async () => pages.every(({ title }) => second().has(title)), LATE_MS + STAGE_MS);
  const arrived = second();
  const late = pages.filter(
    ({ title, acceptedAt }) =>
      (arrived.get(title) ?? Number.POSITIVE_INFINITY) > acceptedAt + STAGE_MS + LATE_MS,
  );
  return late.length === 0
    ? []
    : [
        `${late.length} pages were not escalated on time, such as ${late[0]?.title} (${arrived.has(late[0]?.title ?? '') ? 'late' : 'never'})`,
      ];
}

/** Accepted requests that the database lacks, and titles with more than one page that did not end as a duplicate. */
async function notOnce({ cluster }: Place, accepted: readonly SentPage[]): Promise<string[]> {
  const rows = await cluster.db
    .selectFrom('pages')
    .select(['id', 'title', 'request_id'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('page_events')
            .whereRef('page_id', '=', 'pages.id')
            .where('kind', '=', 'duplicate')
            .where('data', '@>', JSON.stringify({ kept: false }))
            .select('page_events.id'),
        ),
      ),
    )
    .execute();
  const known = new Set(rows.map(({ request_id }) => request_id));
  const lacking = accepted.filter(({ requestId }) => !known.has(requestId));
  const counts = Map.groupBy(rows, ({ title }) => title);
  // Two nodes got each event of the source, so a key that was resolved may have had a page at both.
  const several = [...counts]
    .filter(([title, same]) => same.length > 1 && !title.startsWith('key '))
    .map(([title]) => title);
  return [
    ...(lacking.length > 0
      ? [`${lacking.length} accepted pages are not in the database, such as ${lacking[0]?.title}`]
      : []),
    ...(several.length > 0 ? [`${several.length} titles have several pages, such as ${several[0]}`] : []),
    ...(counts.has(SAME_KEY) ? [] : ['the page with the same key on two nodes is missing']),
  ];
}
