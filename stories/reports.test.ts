import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../src/kit/typeid.ts';
import type { FairnessLine } from '../src/reports/api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** Ada has the first stage and Grace the second for thirty days from an hour ago; Ken is their backstop. */
describe('reports', () => {
  let t: Story;
  let ada: SignedIn;
  let begun: Temporal.Instant;
  const id = (person: string) => t.acme.users[person] ?? '';

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace', 'ken', 'alan'),
        teams: {
          sre: {
            members: ['ada', 'grace', 'ken'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'ken' }],
          },
          web: { members: ['alan'] },
        },
      }),
    });
    begun = (await t.clock.now(t.db)).subtract({ hours: 1 });
    ada = await signIn(t, 'ada');
    // Everybody sleeps all day, so that all pages count as sleep.
    await t.db.updateTable('users').set({ sleep_from: 0, sleep_until: 1439 }).execute();
  });
  after(() => t.end());

  const between = (from: Temporal.Instant, to: Temporal.Instant) => `from=${from}&to=${to}`;
  async function line(person: string, query: string, by = ada): Promise<FairnessLine> {
    const { status, body } = await by.call('GET', `/api/reports/fairness?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    const found = body.people.find((one: FairnessLine) => one.person.id === id(person));
    assert.ok(found, `${person} is not in ${JSON.stringify(body.people)}`);
    return found;
  }

  it('count who is on call, including the future', async () => {
    const query = between(begun, begun.add({ hours: 24 * 15 }));
    const [first, second] = [await line('ada', query), await line('grace', query)];
    assert.deepEqual([first.hours, first.shifts, second.hours], [360, 0.5, 360]);
    const byKind: number[] = Object.values(first.hours_by_kind);
    assert.equal(Math.round(byKind.reduce((sum, hours) => sum + hours, 0) * 1e6) / 1e6, 360);
    assert.ok(first.burden > second.burden, 'the first stage weighs more');
    assert.deepEqual([first.share, first.balance], [0.5, 0]);
  });

  /** Sets the times exactly, so that the story's own run time on a busy machine does not count as response time. */
  async function toTheSecond(): Promise<void> {
    await sql`
      update responders r set started_at = p.created_at + interval '5 minutes'
      from pages p where p.id = r.page_id and r.user_id = ${id('grace')}`.execute(t.db);
    await sql`
      update pages set acknowledged_at = created_at + interval '6 minutes 30 seconds'
      where acknowledged_at > created_at + interval '6 minutes 30 seconds'`.execute(t.db);
  }

  it('follow a page from its notification to the answer', async () => {
    await t.page('team', 'sre', { urgency: 'high' });
    await t.notified('ada');
    await t.advance({ minutes: 5 });
    const [webhook] = await t.notified('grace');
    await t.advance({ seconds: 90 });
    assert.ok(webhook);
    assert.equal((await t.acknowledge(webhook)).status, 200);
    await toTheSecond();
    const now = await t.clock.now(t.db);
    const query = between(begun, now);

    const [asked, answered] = [await line('ada', query), await line('grace', query)];
    assert.deepEqual(asked.pages, { low: 0, medium: 0, high: 1 });
    assert.deepEqual([asked.interrupted_hours, asked.sleep_hours_interrupted], [1, 1]);
    assert.deepEqual([asked.acknowledged, answered.acknowledged], [0, 1]);

    const { body: responses } = await ada.call('GET', `/api/reports/responses?${query}&team=SRE`);
    const { pages, acknowledged, median_seconds, p95_seconds, expired } = responses.total;
    assert.deepEqual(pages, { low: 0, medium: 0, high: 1 });
    assert.deepEqual([acknowledged, median_seconds, p95_seconds, expired], [1, 390, 390, 0]);

    const { body: load } = await ada.call('GET', `/api/reports/load?${query}&team=sre`);
    assert.equal(
      load.interrupted_hours,
      load.heat.flat().reduce((sum: number, n: number) => sum + n, 0),
    );
    assert.deepEqual(
      load.sources.map(({ source, pages, asked }: Record<string, unknown>) => [source, pages, asked]),
      [['Ada', 1, 2]],
    );
  });

  it("show a person's response times to themselves, and to the managers of the team", async () => {
    const query = between(begun, await t.clock.now(t.db));
    const grace = await signIn(t, 'grace');
    assert.equal((await line('grace', query)).answered_after_seconds, null, 'Ada is a member');
    assert.equal((await line('grace', query, grace)).answered_after_seconds, 90, 'Grace herself');
    const change = (role: 'manager' | 'member') =>
      t.db.updateTable('team_members').set({ role }).where('user_id', '=', id('ada')).execute();
    await change('manager');
    assert.equal((await line('grace', `${query}&team=sre`)).answered_after_seconds, 90, 'of her own team');
    assert.equal((await line('grace', query)).answered_after_seconds, null, 'of everybody');
    await change('member');
  });

  it('are limited to the requested team or schedule', async () => {
    const query = between(begun, await t.clock.now(t.db));
    const people = async (more: string) => {
      const { status, body } = await ada.call('GET', `/api/reports/fairness?${query}&${more}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.people.map(({ person }: FairnessLine) => person.name).sort();
    };
    const { id: schedule } = await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
    assert.deepEqual(await people('team=sre'), ['Ada', 'Grace']);
    assert.deepEqual(await people(`schedule=${schedule}`), ['Ada', 'Grace']);
    assert.deepEqual(await people('team=web'), []);
    const page = async (more: string) =>
      (await ada.call('GET', `/api/reports/responses?${query}&${more}`)).body.total.pages.high;
    assert.deepEqual([await page(`schedule=${schedule}`), await page('team=web')], [1, 0]);
  });

  it('have the pages of a schedule that was renamed, and those of teams that link to it', async () => {
    const schedule = await t.db.selectFrom('schedules').select(['id', 'name']).executeTakeFirstOrThrow();
    const pages = async () => {
      const query = `${between(begun, (await t.clock.now(t.db)).add({ hours: 1 }))}&schedule=${schedule.id}`;
      const total = (await ada.call('GET', `/api/reports/responses?${query}`)).body.total.pages.high;
      return [total, (await line('ada', query)).pages.high];
    };
    const rename = (name: string) =>
      t.db.updateTable('schedules').set({ name }).where('id', '=', schedule.id).execute();
    await rename('Another name');
    assert.deepEqual(await pages(), [1, 1]);
    await rename(schedule.name);
    await t.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id('alan')).execute();
    const alan = await signIn(t, 'alan');
    const made = await alan.call('POST', '/api/schedules', {
      ...{ name: 'Web', team: 'web', shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, linked_to: { schedule: schedule.id, stage: 1 } }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    await t.page('team', 'web', { urgency: 'high' });
    await t.notified('ada');
    assert.deepEqual(await pages(), [2, 2]);
    const last = await t.db.selectFrom('pages').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    assert.equal((await alan.call('POST', `/api/pages/${last.id}/resolve`)).status, 200);
    await t.db.deleteFrom('schedules').where('id', '=', made.body.id).execute();
  });

  it('count wishes and their results', async () => {
    const wish = async (person: string, type: 'requested' | 'soft_unavailable', from: number) =>
      t.db
        .insertInto('availabilities')
        .values({
          ...{ id: newId('availability'), organization_id: t.acme.id, user_id: id(person), type, name: '' },
          ...{ starts_at: begun.add({ hours: from }), ends_at: begun.add({ hours: from + 2 }) },
          ...{ created_at: begun, updated_at: begun },
        })
        .execute();
    await wish('ada', 'requested', 10);
    await wish('ada', 'soft_unavailable', 20);
    await wish('ada', 'requested', 24 * 90);
    const query = between(begun, begun.add({ hours: 24 * 100 }));
    const { requests, wishes } = await line('ada', query);
    assert.deepEqual(
      [requests, wishes],
      [
        { granted: 1, refused: 0 },
        { kept: 0, broken: 1 },
      ],
    );
  });

  it('name all problems of a request', async () => {
    for (const [query, field, words] of [
      ['from=yesterday', 'from', 'ISO 8601'],
      ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'to', 'not after from'],
      ['from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'to', '366 days'],
      ['team=nobody', 'team', 'not a team of your organization'],
      ['schedule=schedule_1', 'schedule', 'not a schedule of your organization'],
    ] as const)
      for (const path of ['fairness', 'responses', 'load', 'load.csv', 'withheld']) {
        const { status, body } = await ada.call('GET', `/api/reports/${path}?${query}`);
        assert.equal(status, 400, query);
        assert.equal(body.details[0].field, field);
        assert.ok(body.details[0].message.includes(words), body.details[0].message);
      }
  });

  it('are available as tables that spreadsheets open safely', async () => {
    await t.db.updateTable('users').set({ name: '=1+1, "Ada"' }).where('id', '=', id('ada')).execute();
    const query = between(begun, begun.add({ hours: 24 }));
    const table = async (name: string, more = '') => {
      const answer = await fetch(`${t.url}/api/reports/${name}.csv?${query}${more}`, {
        headers: { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' },
      });
      assert.equal(answer.status, 200);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
      assert.match(
        answer.headers.get('content-disposition') ?? '',
        /^attachment; filename="tocsin-[a-z0-9-]+\.csv"$/,
      );
      return Buffer.from(await answer.arrayBuffer()).toString('utf8');
    };
    assert.match(await table('withheld'), /^window,window_id,kind,effect,team,/);
    const lines = (await table('fairness')).split('\r\n');
    assert.match(lines[0] ?? '', /^name,email,hours,day_hours,/);
    assert.ok(
      lines.some((one) => one.startsWith(`"'=1+1, ""Ada""",ada@example.com,24,`)),
      lines.join('\n'),
    );
    assert.equal(lines.at(-1), '');
    assert.equal((await table('fairness', '&bom=true')).charCodeAt(0), 0xfeff);
    assert.match(await table('responses'), /^week,pages_low,.*\r\n2/);
    assert.match(await table('load'), /^source,pages,asked,asleep,last_at\r\n/);
  });
});

describe('the share of a person on leave', () => {
  let t: Story;
  before(async () => {
    t = await story({
      organization: {
        people: { ada: {}, ben: {}, cleo: {} },
        teams: { sre: { members: ['ada', 'ben', 'cleo'] } },
      },
    });
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    await t.clock.travelTo(t.db, Temporal.Instant.from('2027-03-01T10:00:00Z'));
  });
  after(() => t?.end());

  it('leaves their days of leave out, in the report and in the plan', async () => {
    const ada = await signIn(t, 'ada');
    const id = (person: string) => t.acme.users[person] ?? '';
    const made = async (path: string, body: object) => {
      const answer = await ada.call('POST', path, body);
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body;
    };
    // Half of the 28 days that are planned.
    await made('/api/availabilities', {
      ...{ person: id('cleo'), type: 'hard_unavailable', name: 'Leave' },
      ...{ starts_at: '2027-03-15T09:00:00Z', ends_at: '2027-03-29T09:00:00Z' },
    });
    const schedule = await made('/api/schedules', {
      ...{ name: 'Days', team: 'sre', time_zone: 'UTC', strategy: 'fair', plan_ahead_weeks: 4 },
      shifts: { every: 'day', handoff: '09:00' },
      weights: { night: 0, weekend: 0, holiday: 0 },
      stages: [{ stage: 1, members: ['ada', 'ben', 'cleo'].map(id) }],
    });
    const query = `from=2027-03-01T09:00:00Z&to=2027-03-29T09:00:00Z&schedule=${schedule.id}`;
    const { people } = (await ada.call('GET', `/api/reports/fairness?${query}`)).body;
    const figures = (people as FairnessLine[])
      .map(({ person, share, shifts }) => [person.id, share, shifts] as const)
      .sort(
        ([a], [b]) => ['ada', 'ben', 'cleo'].map(id).indexOf(a) - ['ada', 'ben', 'cleo'].map(id).indexOf(b),
      );
    assert.deepEqual(
      figures.map(([, share]) => share),
      [11.2, 11.2, 5.6],
    );
    for (const [person, share, shifts] of figures)
      assert.ok(Math.abs(shifts - (share ?? 0)) < 1, `${person} has ${shifts} of ${share}`);
  });
});

describe('a shift of several months', () => {
  let t: Story;
  before(async () => {
    t = await story({
      organization: { people: { ada: {}, ben: {} }, teams: { sre: { members: ['ada', 'ben'] } } },
    });
    await t.db.updateTable('users').set({ role: 'admin' }).execute();
    await t.clock.travelTo(t.db, Temporal.Instant.from('2027-01-01T10:00:00Z'));
  });
  after(() => t?.end());

  it('counts in proportion to all of it, however short the period of the report is', async () => {
    const ada = await signIn(t, 'ada');
    const { status, body: schedule } = await ada.call('POST', '/api/schedules', {
      ...{ name: 'Quarters', team: 'sre', time_zone: 'UTC', strategy: 'rotation', plan_ahead_weeks: 30 },
      shifts: {
        ...{ rrule: 'FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=1', handoff: '09:00', starts_on: '2027-01-01' },
        hours: [{ from: '09:00', to: '17:00' }],
      },
      stages: [{ stage: 1, members: [t.acme.users.ada, t.acme.users.ben] }],
    });
    assert.equal(status, 201, JSON.stringify(schedule));
    const shifts = async (from: string, to: string): Promise<number> => {
      const query = `from=${from}T09:00:00Z&to=${to}T09:00:00Z&schedule=${schedule.id}`;
      const { people } = (await ada.call('GET', `/api/reports/fairness?${query}`)).body;
      return Math.max(...(people as FairnessLine[]).map((line) => line.shifts));
    };
    // The second quarter of 2027 has 91 days.
    assert.equal(await shifts('2027-04-01', '2027-07-01'), 1);
    assert.equal(await shifts('2027-04-01', '2027-04-08'), 0.08);
    assert.equal(await shifts('2027-06-24', '2027-07-01'), 0.08);
  });
});

describe('a page whose urgency rises', () => {
  let t: Story;
  before(async () => {
    t = await story({ organization: (receiver) => ({ people: webhookPeople(receiver, 'ada') }) });
  });
  after(() => t?.end());

  it('interrupts nobody while its urgency is low', async () => {
    const page = { title: 'Disk full', dedup_key: 'disk' };
    const from = await t.clock.now(t.db);
    await t.page('person', 'ada@example.com', { ...page, urgency: 'low' });
    await t.notified('ada');
    await t.advance({ hours: 3 });
    await t.page('person', 'ada@example.com', { ...page, urgency: 'high' });
    await t.notified('ada');
    const ada = await signIn(t, 'ada');
    const query = `from=${from}&to=${(await t.clock.now(t.db)).add({ hours: 1 })}`;
    const [line] = (await ada.call('GET', `/api/reports/fairness?${query}`)).body.people as FairnessLine[];
    assert.deepEqual([line?.pages, line?.interrupted_hours], [{ low: 0, medium: 0, high: 1 }, 1]);
    assert.equal((await ada.call('GET', `/api/reports/load?${query}`)).body.interrupted_hours, 1);
  });
});
