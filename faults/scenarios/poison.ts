import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { webhookPeople } from '../../testing/story.ts';
import type { SentPage } from '../load.ts';
import type { Place } from '../place.ts';
import type { Scenario } from '../scenario.ts';

/**
 * Rows that the service never writes, as after disk corruption or a manual change: a step that cannot run, and a
 * notification whose secret cannot be decrypted. Everything else must continue, and all other people must be reached.
 */
export const poison: Scenario = {
  name: 'poison',
  promise:
    'steps that fail every time and notifications whose secret is damaged, among healthy ones: they delay nobody else, and fail visibly',
  async run({ short, place }) {
    const at = await place({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'linus'),
        teams: { sre: { members: ['grace'], schedules: [{ stages: [['grace']], delay: 5 }] } },
      }),
    });
    await damage(at);
    const server = await at.start('all');
    const poisoned = at.load({
      targets: () => [server.url],
      perSecond: 8,
      name: 'poisoned',
      page: { path: '/page/team', recipient: 'sre', urgency: 'high' },
    });
    await delay(1_000);
    const pages = await poisoned.end();
    const unsigned = at.load({
      targets: () => [server.url],
      perSecond: 8,
      name: 'unsigned',
      page: { path: '/page/person', recipient: 'linus@example.com', urgency: 'high' },
    });
    await delay(1_000);
    const silent = await silentAbout(at, server.url, await unsigned.end());
    const load = at.load({ targets: () => [server.url], perSecond: 20, name: 'healthy' });
    await delay(short ? 2_000 : 10_000);
    // The damaged rows must be logged as errors, so `settle` reports broken promises that are removed here.
    const logged = at.errors().length;
    const verdict = await at.settle(load, { repeats: 0, withinMs: 10_000 });
    verdict.broken = verdict.broken.filter((sentence) => !sentence.startsWith('logged as an error'));
    const reached = new Set(at.receiver.received.map(({ body }) => body.title));
    const unheard = pages.filter(({ title }) => !reached.has(title));
    if (unheard.length > 0)
      verdict.broken.push(`${unheard.length} of ${pages.length} pages of the poisoned team reached nobody`);
    verdict.broken.push(...silent);
    if (logged === 0) verdict.broken.push('nothing was logged about the poison');
    return {
      ...verdict,
      figures: {
        poisoned: pages.length,
        'of them heard': pages.length - unheard.length,
        'by a damaged secret, and told': unsigned.accepted.length - silent.length,
        ...verdict.figures,
      },
    };
  },
};

/** Pages whose only notification is damaged and whose request does not report it soon, as sentences. */
async function silentAbout(
  { cluster: { acme } }: Place,
  url: string,
  pages: readonly SentPage[],
): Promise<string[]> {
  const told = await Promise.all(
    pages.map(async ({ requestId, title }) => {
      const answer = await fetch(`${url}/request/${requestId}/status?wait=15`, {
        headers: { authorization: `Bearer ${acme.key}` },
      });
      const { response } = (await answer.json()) as {
        response: { status: string; errors: { message: string }[] };
      };
      const named = response.errors.some(({ message }) => message.includes('cannot be decrypted'));
      return response.status === 'failed' && named
        ? null
        : `${title} reached nobody, and its request is ${response.status}`;
    }),
  );
  return told.filter((sentence) => sentence !== null);
}

/**
 * In this database, steps of stages fail when their responders are recorded, and Linus's notifications cannot be
 * signed.
 */
async function damage({ cluster: { db, acme } }: Place): Promise<void> {
  await sql`create function poison() returns trigger language plpgsql as
    $$ begin raise exception 'poisoned' using errcode = 'XX001'; end $$`.execute(db);
  await sql`create trigger poison before insert on responders for each row when (new.stage is not null)
    execute function poison()`.execute(db);
  await db
    .updateTable('contact_methods')
    .set({ signing_secret: Buffer.from('damaged') })
    .where('user_id', '=', acme.users.linus ?? '')
    .execute();
}

/** An upgrade: tables change while nodes of the older release run. */
export const migrationUnderLoad: Scenario = {
  name: 'migration',
  promise:
    'tables gain and lose columns and indexes while two nodes run: nothing is lost and nothing is repeated',
  async run({ short, place }) {
    const at = await place();
    const servers = [await at.start('all'), await at.start('all')];
    const load = at.load({ targets: () => servers.map(({ url }) => url) });
    const { db } = at.cluster;
    await delay(1_500);
    let changes = 0;
    for (const table of [
      'pages',
      'requests',
      'deliveries',
      'page_steps',
      'responders',
      'users',
      'contact_methods',
    ]) {
      await sql`alter table ${sql.table(table)} add column fault_added text`.execute(db);
      await delay(short ? 100 : 700);
      await sql`alter table ${sql.table(table)} add column fault_counted integer not null default 0`.execute(
        db,
      );
      await sql`create index on ${sql.table(table)} (fault_counted)`.execute(db);
      await delay(short ? 100 : 700);
      await sql`alter table ${sql.table(table)} drop column fault_added, drop column fault_counted`.execute(
        db,
      );
      changes += 4;
    }
    const verdict = await at.settle(load, { repeats: 0 });
    const odd = [...load.answers.keys()].filter((status) => ![200, 503].includes(status));
    if (odd.length > 0) verdict.broken.push(`answers other than 200 and 503: ${odd.join(', ')}`);
    return { ...verdict, figures: { changes, refused: load.answers.get(503) ?? 0, ...verdict.figures } };
  },
};
