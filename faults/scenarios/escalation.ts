import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedWebhook } from '../../testing/fakes/webhook-receiver.ts';
import { webhookPeople } from '../../testing/story.ts';
import type { SentPage } from '../load.ts';
import { type Place, type PlaceOptions, percentile, seconds } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/** Delay of each stage in seconds, because the suite cannot wait for minutes. */
export const STAGE_SECONDS = 3;
const LADDER = ['/ada', '/grace', '/linus'];
/** Time until all stages were notified, with a margin for a busy machine. */
export const LADDER_SECONDS = LADDER.length * STAGE_SECONDS + 5;
/**
 * A stage that is later than this waited for something other than its delay, because the work of a dead node is taken
 * over within 5 s.
 */
export const LATE_MS = 10_000;

/** A team with two stages and a backstop. */
export const ladder: PlaceOptions = {
  organization: (receiver) => ({
    people: webhookPeople(receiver, 'ada', 'grace', 'linus'),
    teams: {
      sre: {
        members: ['ada', 'grace', 'linus'],
        schedules: [{ stages: [['ada'], ['grace']], backstop: 'linus', delay: STAGE_SECONDS / 60 }],
      },
    },
  }),
};

export const teamPage = { path: '/page/team', recipient: 'sre', urgency: 'high' } as const;

/** Nobody answers, and processes die meanwhile. Every stage must be notified in order, never early and never twice. */
export const escalationsWhileDying: Scenario = {
  name: 'escalation',
  promise: 'three workers are killed while pages escalate: no stage is skipped, early, or run twice',
  async run({ seconds: length, random, place }) {
    const at = await place(ladder);
    const api = await at.start('api');
    const workers = await Promise.all([at.start('worker'), at.start('worker'), at.start('worker')]);
    const load = at.load({ targets: () => [api.url], perSecond: 10, page: teamPage });
    const end = performance.now() + Math.min(length, 60) * 1_000;
    let kills = 0;
    while (performance.now() < end) {
      await delay(random.between(300, 1_500));
      await random.pick(workers).replace('SIGKILL', 0);
      kills++;
    }
    const pages = await load.end();
    // Until the last page has been through the first round.
    await delay(LADDER_SECONDS * 1_000);
    const verdict = await at.settle(load, { repeats: kills * 30 });
    const climbs = pages.map((page) => climbOf(page, at.receiver.received));
    const late = climbs.flatMap(({ lateMs }) => lateMs);
    verdict.broken.push(...climbs.flatMap(({ wrong }) => wrong).slice(0, 5));
    if (!(percentile(late, 0.99) <= LATE_MS))
      verdict.broken.push(`stages came ${seconds(percentile(late, 0.99))} late (99th percentile)`);
    const figures = { kills, 'stage late, 99th': seconds(percentile(late, 0.99)) };
    return { ...verdict, figures: { ...figures, ...verdict.figures } };
  },
};

/** The first round of a page, as the receiver saw it. */
export function climbOf(
  page: SentPage,
  received: readonly ReceivedWebhook[],
): { wrong: string[]; lateMs: number[] } {
  const wrong: string[] = [];
  const lateMs: number[] = [];
  const mine = received.filter(({ body }) => body.title === page.title && body.round === 1);
  let earliest = page.sentAt;
  for (const [index, path] of LADDER.entries()) {
    const first = mine.find((one) => one.path === path);
    if (!first) return { wrong: [...wrong, `${page.title}: nobody reached ${path}`], lateMs };
    const arrived = first.at.getTime();
    if (arrived < earliest) wrong.push(`${page.title}: ${path} was reached ${earliest - arrived} ms early`);
    lateMs.push(arrived - (page.acceptedAt + index * STAGE_SECONDS * 1_000));
    // The delay of the next stage counts from when the step of this one ran, not from when it was due.
    earliest += STAGE_SECONDS * 1_000;
  }
  return { wrong, lateMs };
}

/** Hundreds of stages become due at once, and several workers compete for them. */
export const raceForSteps: Scenario = {
  name: 'race',
  promise: 'four workers look at hundreds of steps that are due at the same instant: each runs once',
  async run({ short, place }) {
    const at = await place(ladder);
    const api = await at.start('api');
    await Promise.all(Array.from({ length: 4 }, () => at.start('worker')));
    const load = at.load({ targets: () => [api.url], perSecond: 100, page: teamPage });
    await delay(short ? 1_000 : 5_000);
    const pages = await load.end();
    const together = await allDueAtOnce(at);
    await delay(LADDER_SECONDS * 1_000);
    const verdict = await at.settle(load, { repeats: 0 });
    // The steps were brought forward, so all notifications are early; but no stage may be skipped because workers
    // competed.
    const wrong = pages.flatMap((page) => climbOf(page, at.receiver.received).wrong);
    verdict.broken.push(...wrong.filter((sentence) => !sentence.endsWith('early')).slice(0, 5));
    if (together < pages.length / 2)
      verdict.broken.push(`only ${together} steps of ${pages.length} pages were due at once`);
    return { ...verdict, figures: { 'steps due at once': together, ...verdict.figures } };
  },
};

/** Makes all waiting steps due at the same instant, so that workers compete for them. Returns their number. */
async function allDueAtOnce({ cluster: { db, clock } }: Place): Promise<number> {
  const at = (await clock.now(db)).add({ seconds: 2 });
  const changed = await db
    .updateTable('page_steps')
    .set({ due_at: at })
    .where('state', '=', 'due')
    .executeTakeFirstOrThrow();
  return Number(changed.numUpdatedRows);
}

/**
 * The paged person acknowledges at a random time around the next stage. After the answer, no new notification may
 * begin.
 */
export const answersRaceSteps: Scenario = {
  name: 'acknowledge',
  promise:
    'pages are acknowledged at the moment of the next stage, while workers are killed: nobody is notified of an acknowledged page',
  async run({ seconds: length, random, place }) {
    const at = await place(ladder);
    const api = await at.start('api');
    const workers = await Promise.all([at.start('worker'), at.start('worker')]);
    const load = at.load({ targets: () => [api.url], perSecond: 15, page: teamPage });
    const answered = new Map<string, number>();
    let over = false;
    const answering = (async () => {
      const seen = new Set<string>();
      const under: Promise<void>[] = [];
      while (!over) {
        for (const one of at.receiver.received) {
          if (one.path !== '/ada' || seen.has(one.body.page_id)) continue;
          seen.add(one.body.page_id);
          under.push(acknowledgeAfter(one, random.between(2_400, 3_400), api.url, answered));
        }
        await delay(50);
      }
      await Promise.all(under);
    })();
    const end = performance.now() + Math.min(length, 60) * 1_000;
    let kills = 0;
    while (performance.now() < end) {
      await delay(random.between(1_000, 4_000));
      await random.pick(workers).replace('SIGKILL', 0);
      kills++;
    }
    const pages = await load.end();
    await delay(6_000);
    over = true;
    await answering;
    await delay(6_000);
    const verdict = await at.settle(load, { repeats: kills * 30 });
    const after = at.receiver.received.filter(
      ({ body, at: arrived }) => arrived.getTime() > (answered.get(body.page_id) ?? Number.POSITIVE_INFINITY),
    );
    // A notification that was leased before the answer may still be sent; one leased later may not.
    const begun = after.filter(({ body }) => Date.parse(body.sent_at) > (answered.get(body.page_id) ?? 0));
    if (begun.length > 0)
      verdict.broken.push(`${begun.length} notifications began after the acknowledgement`);
    if (answered.size < pages.length / 2)
      verdict.broken.push(`only ${answered.size} of ${pages.length} pages could be acknowledged`);
    const figures = { kills, acknowledged: answered.size, 'were in flight': after.length - begun.length };
    return { ...verdict, figures: { ...figures, ...verdict.figures } };
  },
};

async function acknowledgeAfter(
  { body }: ReceivedWebhook,
  waitMs: number,
  api: string,
  answered: Map<string, number>,
): Promise<void> {
  await delay(waitMs);
  const link = new URL(body.acknowledge_url);
  const answer = await fetch(api + link.pathname + link.search, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: '',
  }).catch(() => null);
  await answer?.text().catch(() => '');
  if (answer?.status === 200) answered.set(body.page_id, Date.now());
}
