import { setTimeout as delay } from 'node:timers/promises';
import type { ReceivedWebhook } from '../../testing/fakes/webhook-receiver.ts';
import { signIn } from '../../testing/signed-in.ts';
import { webhookPeople } from '../../testing/story.ts';
import { untilArrived } from '../ledger.ts';
import type { SentPage } from '../load.ts';
import { type Place, type PlaceOptions, percentile, seconds } from '../place.ts';
import type { Random } from '../random.ts';
import type { Scenario } from '../scenario.ts';

/** The next stage is minutes away, so that all arrivals of the second round are reminders and their repeats. */
const twoStages: PlaceOptions = {
  organization: (receiver) => ({
    people: webhookPeople(receiver, 'ada', 'grace'),
    teams: { sre: { members: ['ada', 'grace'], schedules: [{ stages: [['ada'], ['grace']] }] } },
  }),
};

/** Notifications that the process may have in flight when it dies. */
const IN_FLIGHT = 20;
const LEAST_KILLS = 2;
/** Counts from when the reminder was due, or from the last start of the process. */
const LATE_MS = 10_000;

/** Acknowledgements time out and snoozes end while the only process dies repeatedly. */
export const remindersWhileDying: Scenario = {
  name: 'reminders',
  promise:
    'SIGKILL of the only process while acknowledgements time out and snoozes end: each reminder arrives, never early, and repeats are marked',
  inShortForm: true,
  async run({ seconds: length, short, random, place }) {
    const at = await place(twoStages);
    const server = await at.start('all');
    const load = at.load({
      ...{ targets: () => [server.url], perSecond: 20 },
      page: { path: '/page/team', recipient: 'sre', urgency: 'high' },
    });
    await delay(short ? 1_000 : 10_000);
    const pages = await load.end();
    await untilArrived(at.receiver, pages, 45_000);
    const snoozed = await acknowledgeAll(at, server.url);
    const windowMs = short ? 5_000 : length * 1_000;
    const due = await bringForward(at, windowMs, random);
    const end = performance.now() + windowMs;
    let kills = 0;
    let servesSince = Date.now();
    while (kills < LEAST_KILLS || performance.now() < end) {
      await delay(random.between(200, 1_200));
      await server.replace('SIGKILL', 0);
      servesSince = Date.now();
      kills++;
    }
    await untilReminded(at, due, short ? 60_000 : 20_000);
    const verdict = await at.settle(load, { repeats: kills * IN_FLIGHT });
    const seen = remindersOf(at, pages, due, servesSince);
    verdict.broken.push(...seen.wrong.slice(0, 5), ...(await wrongRecords(at, due)));
    const late = percentile(seen.lateMs, 0.99);
    // The short form runs on machines of any speed, so its limit only detects what never arrives.
    if (!short && !(late <= LATE_MS))
      verdict.broken.push(`reminders came ${seconds(late)} late (99th percentile)`);
    const figures = { kills, reminders: due.size, 'of them snoozed': snoozed };
    return { ...verdict, figures: { ...figures, 'reminder late, 99th': seconds(late), ...verdict.figures } };
  },
};

/** Ada acknowledges every page and snoozes every second one. Returns the number of snoozed pages. */
async function acknowledgeAll({ cluster, receiver }: Place, url: string): Promise<number> {
  const ada = await signIn({ db: cluster.db, clock: cluster.clock, url, acme: cluster.acme }, 'ada');
  const act = async (pageId: string, action: string, body?: unknown) => {
    const { status, body: answer } = await ada.call('POST', `/api/pages/${pageId}/${action}`, body);
    if (status !== 200) throw new Error(`${action} was answered ${status}: ${JSON.stringify(answer)}`);
  };
  const pages = [...new Set(receiver.received.map(({ body }) => body.page_id))];
  for (const [index, pageId] of pages.entries()) {
    await act(pageId, 'acknowledge');
    if (index % 2 === 1) await act(pageId, 'snooze', { minutes: 60 });
  }
  return Math.floor(pages.length / 2);
}

/** Shortens the half hour: each acknowledgement ends within `windowMs`. Returns the times by page. */
async function bringForward(
  { cluster: { db, clock } }: Place,
  windowMs: number,
  random: Random,
): Promise<Map<string, number>> {
  const now = await clock.now(db);
  const waiting = await db.selectFrom('pages').select('id').where('remind_at', 'is not', null).execute();
  const due = new Map<string, number>();
  for (const { id } of waiting) {
    const at = now.add({ milliseconds: Math.round(random.between(300, windowMs)) });
    await db.updateTable('pages').set({ remind_at: at }).where('id', '=', id).execute();
    due.set(id, at.epochMilliseconds);
  }
  return due;
}

const isReminder = ({ path, body }: ReceivedWebhook) => path === '/ada' && body.round === 2;

async function untilReminded({ receiver }: Place, due: ReadonlyMap<string, number>, withinMs: number) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const reminded = new Set(receiver.received.filter(isReminder).map(({ body }) => body.page_id));
    if (reminded.size >= due.size || performance.now() > deadline) return;
    await delay(100);
  }
}

/** Checks the receiver: one reminder of every accepted page, none early, and nobody else notified. */
function remindersOf(
  { receiver }: Place,
  pages: readonly SentPage[],
  due: ReadonlyMap<string, number>,
  servesSince: number,
): { wrong: string[]; lateMs: number[] } {
  const wrong: string[] = [];
  const lateMs: number[] = [];
  if (due.size !== pages.length) wrong.push(`${due.size} of ${pages.length} pages were acknowledged`);
  for (const [pageId, dueAt] of due) {
    const first = receiver.received.find((one) => isReminder(one) && one.body.page_id === pageId);
    if (!first) wrong.push(`${pageId}: its reminder never arrived`);
    else if (first.at.getTime() < dueAt) wrong.push(`${pageId}: its reminder was early`);
    else lateMs.push(Math.max(0, first.at.getTime() - Math.max(dueAt, servesSince)));
  }
  const others = receiver.received.filter(({ path }) => path !== '/ada');
  if (others.length > 0)
    wrong.push(`${others.length} notifications went to others before the next stage was due`);
  return { wrong, lateMs };
}

/** Checks the timelines: each page was reminded once, and its next stage waits until it is due. */
async function wrongRecords({ cluster: { db } }: Place, due: ReadonlyMap<string, number>): Promise<string[]> {
  const ids = [...due.keys()];
  const reminded = await db
    .selectFrom('page_events')
    .select('page_id')
    .where('kind', '=', 'reminded')
    .where('page_id', 'in', ids)
    .execute();
  const next = await db
    .selectFrom('page_steps')
    .select('page_id')
    .where('state', '=', 'due')
    .where('round', '=', 2)
    .where('page_id', 'in', ids)
    .execute();
  const times = (rows: readonly { page_id: string }[], id: string) =>
    rows.filter((row) => row.page_id === id).length;
  return ids
    .filter((id) => times(reminded, id) !== 1 || times(next, id) !== 1)
    .slice(0, 5)
    .map((id) => `${id} was reminded ${times(reminded, id)} times, and ${times(next, id)} steps follow`);
}
