import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { sql } from 'kysely';
import type { WindowShown } from '../src/sources/windows-api-contract.ts';
import { type PageOutcome, type PageSource, pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import type { Story } from '../testing/story.ts';
import { twoStageStory } from '../testing/two-stage-story.ts';

describe('maintenance windows and silences', () => {
  let t: Story;
  let ada: SignedIn;
  let edsger: SignedIn;
  let source: PageSource;
  let names = 0;

  const name = () => `Upgrade ${names}`;
  const inMinutes = async (minutes: number) => (await t.clock.now(t.app.db)).add({ minutes }).toString();
  const actions = (pages: PageOutcome[]) => pages.map(({ action }) => action);
  const make = async (body: Record<string, unknown> = {}): Promise<WindowShown> => {
    const wanted = { team: 'sre', source: source.id, name: name(), minutes: 60, ...body };
    const answer = await ada.call('POST', '/api/windows', wanted);
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    return answer.body;
  };
  const show = async ({ id }: { id: string }): Promise<WindowShown> =>
    (await ada.call('GET', `/api/windows/${id}`)).body;
  const end = async ({ id }: { id: string }) => {
    assert.equal((await ada.call('DELETE', `/api/windows/${id}`)).status, 200);
    await t.settle();
  };
  const notices = async (): Promise<string[]> => {
    const { body } = await ada.call('GET', '/api/notices');
    return body.notices
      .filter(({ kind }: { kind: string }) => kind === 'window.ended')
      .map(({ text }: { text: string }) => text);
  };
  const refusal = async (body: Record<string, unknown>) => {
    const answer = await ada.call('POST', '/api/windows', { team: 'sre', name: 'x', minutes: 5, ...body });
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    return answer.body.details.map(({ message }: { message: string }) => message);
  };

  before(async () => {
    t = await twoStageStory();
    ada = await signIn(t, 'ada');
    edsger = await signIn(t, 'edsger');
  });
  beforeEach(async () => {
    names++;
    source = await pageSource(t);
  });
  afterEach(async () => {
    // So that a failed test does not make the next ones fail.
    await t.db.deleteFrom('pages').execute();
    t.receiver.inbox.takeAll();
  });
  after(() => t.end());

  it('hold pages until they end, and then page those that are still open', async () => {
    const window = await make();
    assert.deepEqual(actions(await source.post({ title: 'Disk full', dedup_key: 'disk' })), ['waiting']);
    assert.deepEqual(actions(await source.post({ title: 'Disk full', dedup_key: 'disk' })), ['waiting']);
    await source.post({ title: 'Slow', dedup_key: 'slow' });
    await source.post({ action: 'resolve', dedup_key: 'slow' });
    await t.notified();
    const shown = await show(window);
    assert.equal(shown.state, 'active');
    assert.equal(shown.owner?.name, 'Ada');
    assert.deepEqual([shown.event_count, shown.held_count], [3, 2]);
    assert.deepEqual(shown.held.map(({ title, events, waiting }) => [title, events, waiting]).sort(), [
      ['Disk full', 2, true],
      ['Slow', 1, false],
    ]);
    await t.advance({ minutes: 60 });
    await t.notified('ada');
    await t.app.duties.runAll();
    assert.equal((await show(window)).state, 'over');
    assert.deepEqual(await notices(), [
      `The maintenance window or silence “${name()}” of SRE ended. It held back 2 alerts (3 events): “Slow”, “Disk full”. 1 of them is still open: “Disk full”. It pages now, unless another window, a silence or the hours of its source hold it back.`,
    ]);
    const { body } = await ada.call('GET', '/api/notices');
    assert.equal(body.notices[0].path, `/windows/${window.id}`);
    const { held } = await show(window);
    assert.deepEqual(held.map(({ title, page }) => [title, page?.state]).sort(), [
      ['Disk full', 'notifying'],
      ['Slow', undefined],
    ]);
    const report = await ada.call('GET', '/api/reports/withheld?team=sre');
    const line = report.body.windows.find((one: { window: { id: string } }) => one.window.id === window.id);
    assert.deepEqual([line.alerts, line.events, line.occurrences, line.owner.name], [2, 3, 1, 'Ada']);
    assert.ok(report.body.total.events >= 3);
    assert.deepEqual(
      report.body.teams.map(({ team }: { team: { slug: string } }) => team.slug),
      ['sre'],
    );

    // The totals count all windows, also those that are not listed.
    const copies = (table: string, key: string) => sql`
      insert into ${sql.table(table)}
      select (jsonb_populate_record(one, jsonb_build_object(${sql.lit(key)}, 'window_copy' || n))).*
      from ${sql.table(table)} one, generate_series(1, 600) n where one.${sql.ref(key)} = ${window.id}`;
    await copies('maintenance_windows', 'id').execute(t.db);
    await copies('window_events', 'window_id').execute(t.db);
    const { total, teams, windows } = (await ada.call('GET', '/api/reports/withheld?team=sre')).body;
    assert.equal(windows.length, 500);
    assert.equal(total.events, report.body.total.events + 3 * 600);
    assert.deepEqual([teams[0].events, teams[0].alerts], [total.events, total.alerts]);
    assert.equal(teams[0].windows, report.body.teams[0].windows + 600);
    await sql`delete from maintenance_windows where id like 'window_copy%'`.execute(t.db);
    await source.post({ action: 'resolve', dedup_key: 'disk' });
  });

  it('only record matching events, and page for the rest', async () => {
    const window = await make({ effect: 'record', match: ['service=db', 'severity!=critical'] });
    const labels = { service: 'db' };
    const [recorded] = await source.post({ title: 'Lag', dedup_key: 'lag', labels });
    assert.equal(recorded?.action, 'ignored');
    assert.match(recorded?.reason ?? '', /records it without paging until/);
    const [raised] = await source.post({ title: 'Gone', dedup_key: 'gone', labels, severity: 'critical' });
    assert.equal(raised?.action, 'raised');
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'gone' });
    await t.advance({ minutes: 60 });
    await t.notified();
    assert.equal((await show(window)).held_count, 1);
  });

  it('do not affect other sources and teams', async () => {
    const other = await pageSource(t);
    const window = await make();
    const [raised] = await other.post({ title: 'Down', dedup_key: 'down' });
    assert.equal(raised?.action, 'raised');
    await t.notified('ada');
    await other.post({ action: 'resolve', dedup_key: 'down' });
    await end(window);
  });

  it('hold before others record, and until the last of them ends', async () => {
    const made = [
      await make({ effect: 'record', minutes: 90, name: `a ${names}` }),
      await make({ minutes: 10, name: `b ${names}` }),
      await make({ minutes: 20, name: `c ${names}` }),
    ];
    const [held] = await source.post({ title: 'Both', dedup_key: 'both' });
    assert.match(held?.reason ?? '', new RegExp(`"c ${names}" holds it until`));
    for (const window of made.reverse()) await end(window);
    await t.notified();
  });

  it('do not hold a page that is already open', async () => {
    await source.post({ title: 'Open', dedup_key: 'open', urgency: 'low' });
    await t.notified('ada');
    const window = await make();
    const [updated] = await source.post({ title: 'Open', dedup_key: 'open', urgency: 'low' });
    assert.equal(updated?.action, 'updated');
    assert.equal((await show(window)).held_count, 0);
    await source.post({ action: 'resolve', dedup_key: 'open' });
    await end(window);
  });

  it('page held events at once when somebody ends them', async () => {
    const window = await make();
    await source.post({ title: 'Held', dedup_key: 'held' });
    await end(window);
    await t.notified('ada');
    const shown = await show(window);
    assert.deepEqual([shown.state, shown.ended_by?.name], ['over', 'Ada']);
    assert.match(
      (await notices())[0] ?? '',
      /was ended by Ada\. It held back 1 alert: “Held”\. 1 of them is still open: “Held”\. It pages now, unless/,
    );
    await source.post({ action: 'resolve', dedup_key: 'held' });
  });

  it('page at once, when somebody ends them, what ended and began again in one call', async () => {
    const { path } = await t.source({ team: 'sre', type: 'pagerduty', name: `Incidents ${names}` });
    const incident = (event: string) => ({
      event: `incident.${event}`,
      incident: {
        id: 'P1',
        title: 'Checkout is down',
        status: event === 'resolve' ? 'resolved' : 'triggered',
      },
    });
    const post = async (...messages: unknown[]) => {
      assert.equal((await t.post(path, { messages })).status, 200);
      await t.settle();
    };
    await post(incident('trigger'));
    await t.notified('ada');
    const window = await make({ source: undefined });
    await post(incident('resolve'), incident('trigger'));
    await t.notified();
    assert.equal((await show(window)).held_count, 1);
    await end(window);
    await t.notified('ada');
    await post(incident('resolve'));
  });

  it('page at once, when somebody ends them, what a lifeboat held', async () => {
    const window = await make();
    await source.post({ title: 'Held', dedup_key: 'held' });
    // Lifeboats land what they hold, but not the counts of windows.
    await t.db.deleteFrom('window_events').execute();
    await end(window);
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'held' });
  });

  it('do not count events that the settings of their source ignore', async () => {
    const settings = { rules: [{ match: ['title=Noise'], then: { ignore: true } }] };
    const quiet = await pageSource(t, settings);
    const window = await make({ source: quiet.id });
    assert.deepEqual(actions(await quiet.post({ title: 'Noise' })), ['ignored']);
    assert.equal((await show(window)).held_count, 0);
    await end(window);
    assert.match((await notices())[0] ?? '', /Nothing was reported during it\./);
  });

  it('may become longer or shorter than first planned', async () => {
    const window = await make({ minutes: 10 });
    await source.post({ title: 'Longer', dedup_key: 'longer' });
    const body = { ends_at: await inMinutes(30), name: `Renamed ${names}` };
    const changed = await ada.call('PATCH', `/api/windows/${window.id}`, body);
    assert.equal(changed.status, 200, JSON.stringify(changed.body));
    assert.equal(changed.body.name, `Renamed ${names}`);
    await t.advance({ minutes: 29 });
    await t.notified();
    await t.advance({ minutes: 1 });
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'longer' });
  });

  it('decide again if they are changed to only record', async () => {
    const window = await make();
    await source.post({ title: 'Never', dedup_key: 'never' });
    await ada.call('PATCH', `/api/windows/${window.id}`, { effect: 'record' });
    await t.settle();
    await t.advance({ minutes: 60 });
    await t.notified();
  });

  it('decide again if their matchers and their end change together', async () => {
    const window = await make({ minutes: 10 });
    await source.post({ title: 'Left out', dedup_key: 'left-out' });
    const body = { match: ['title=Other'], ends_at: await inMinutes(120) };
    assert.equal((await ada.call('PATCH', `/api/windows/${window.id}`, body)).status, 200);
    await t.settle();
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'left-out' });
    await end(window);
  });

  it('no longer hold an alert that has become another one', async () => {
    source = await pageSource(t, {
      rules: [{ match: ['severity=critical'], then: { wait_minutes: 5 } }],
    });
    const window = await make({ match: ['severity=warning'], minutes: 600 });
    const alert = { title: 'Disk filling', dedup_key: 'filling' };
    assert.deepEqual(actions(await source.post({ ...alert, severity: 'warning' })), ['waiting']);
    const [worse] = await source.post({ ...alert, severity: 'critical' });
    assert.match(worse?.reason ?? '', /^It pages at/);
    assert.deepEqual(
      (await show(window)).held.map(({ waiting }) => waiting),
      [false],
    );
    await t.advance({ minutes: 5 });
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'filling' });
    await end(window);
  });

  it('leave alerts to the hours of their source, which decide again when they change', async () => {
    await t.db.updateTable('team_members').set({ role: 'manager' }).execute();
    const day = (await t.clock.now(t.app.db)).toZonedDateTimeISO('UTC').add({ days: 2 }).dayOfWeek;
    const weekly = [{ days: [day], from: '09:00', to: '10:00' }];
    source = await pageSource(t, { hours: { weekly, zone: 'UTC', outside: 'hold' } });
    assert.deepEqual(actions(await source.post({ title: 'Night', dedup_key: 'night' })), ['waiting']);
    const change = (settings: unknown) => ada.call('PATCH', `/api/sources/${source.id}`, { settings });
    assert.equal((await change({ wait_minutes: 1 })).status, 200);
    await t.settle();
    await t.notified();
    assert.equal((await change({ hours: null })).status, 200);
    await t.settle();
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'night' });
  });

  it('are made from a page, and match only its alert', async () => {
    const [page] = await source.post({ title: 'Flaps', dedup_key: 'flaps' });
    await t.notified('ada');
    const answer = await ada.call('POST', '/api/windows', { page: page?.id, minutes: 120 });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    const { silence, name: title, match, effect, source: from } = answer.body as WindowShown;
    assert.deepEqual([silence, title, match, effect], [true, 'Flaps', ['dedup_key=flaps'], 'hold']);
    assert.equal(from?.id, source.id);
    await source.post({ action: 'resolve', dedup_key: 'flaps' });
    assert.deepEqual(actions(await source.post({ title: 'Flaps', dedup_key: 'flaps' })), ['waiting']);
    assert.deepEqual(actions(await source.post({ title: 'Other', dedup_key: 'other' })), ['raised']);
    await t.notified('ada');
    for (const key of ['flaps', 'other']) await source.post({ action: 'resolve', dedup_key: key });
    await end(answer.body);
  });

  it('are made from a page, and match everything with the same labels', async () => {
    const post = (key: string, service: string, node = key) =>
      source.post({
        title: `${key} is slow`,
        dedup_key: key,
        severity: 'warning',
        labels: { service, node },
      });
    const [page] = await post('db-1', 'db');
    await post('db-1', 'db', 'db-1 again');
    await t.notified('ada');
    const about = { page: page?.id, minutes: 60 };
    const preview = async (body: object) =>
      (await ada.call('POST', '/api/windows/preview', { ...about, ...body })).body;
    assert.deepEqual((await preview({})).labels, ['severity=warning', 'service=db', 'node=db-1 again']);
    assert.deepEqual((await preview({ labels: ['service=db'] })).last_week, {
      ...{ pages: 1, titles: ['db-1 is slow'] },
    });
    assert.match(
      (await preview({ labels: ['node=db-1'] })).details[0].message,
      /^labels\[0\] is "node=db-1", which is not a label of the page; it has severity=warning, service=db, node=db-1 again/,
    );
    const answer = await ada.call('POST', '/api/windows', { ...about, labels: ['service=db'] });
    assert.equal(answer.status, 201, JSON.stringify(answer.body));
    assert.deepEqual([answer.body.match, answer.body.silence], [['service=db'], true]);
    assert.deepEqual(actions(await post('db-2', 'db')), ['waiting']);
    assert.deepEqual(actions(await post('web-1', 'web')), ['raised']);
    await t.notified('ada');
    for (const key of ['db-1', 'db-2', 'web-1']) await source.post({ action: 'resolve', dedup_key: key });
    await end(answer.body);
    const without = await ada.call('POST', '/api/windows/preview', {
      ...{ team: 'sre', minutes: 5, labels: ['service=db'] },
    });
    assert.match(without.body.details[0].message, /^labels needs page/);
  });

  it('repeat, and hold again even before their next occurrence was recorded', async () => {
    const startsAt = await inMinutes(10);
    const window = await make({
      starts_at: startsAt,
      ends_at: await inMinutes(70),
      minutes: undefined,
      rrule: 'FREQ=DAILY',
      zone: 'UTC',
    });
    assert.deepEqual([window.state, window.rrule, window.zone], ['upcoming', 'FREQ=DAILY', 'UTC']);
    const clock = startsAt;
    for (let day = 0; day < 2; day++) {
      await t.advance({ hours: day === 0 ? 0 : 24, minutes: day === 0 ? 15 : 0 });
      assert.deepEqual(
        actions(await source.post({ title: `Day ${day}`, dedup_key: 'day' })),
        ['waiting'],
        clock,
      );
      await source.post({ action: 'resolve', dedup_key: 'day' });
    }
    await t.app.duties.runAll();
    assert.equal((await show(window)).held_count, 1);
    await t.advance({ hours: 1 });
    await t.app.duties.runAll();
    assert.equal((await show(window)).state, 'upcoming');
    assert.equal((await show(window)).held_count, 0);
    await end(window);
  });

  it('are previewed with their next times and the pages of the last week that they would have held', async () => {
    const preview = async (body: Record<string, unknown>) =>
      ada.call('POST', '/api/windows/preview', { team: 'sre', source: source.id, ...body });
    await source.post({ title: 'Before', dedup_key: 'before' });
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'before' });
    const [startsAt, endsAt] = [await inMinutes(10), await inMinutes(70)];
    const body = { starts_at: startsAt, ends_at: endsAt, rrule: 'FREQ=DAILY', zone: 'UTC' };
    const daily = await preview(body);
    assert.equal(daily.status, 200, JSON.stringify(daily.body));
    const days = daily.body.occurrences.map((one: { starts_at: string }) => Date.parse(one.starts_at));
    assert.deepEqual(
      days,
      [0, 1, 2, 3, 4].map((day) => Date.parse(startsAt) + day * 86_400_000),
    );
    assert.deepEqual(daily.body.last_week, { pages: 1, titles: ['Before'] });
    const other = await preview({ ...body, match: ['dedup_key=other'] });
    assert.deepEqual(other.body.last_week, { pages: 0, titles: [] });
    const byLabel = await preview({ ...body, match: ['service=db'] });
    assert.deepEqual(byLabel.body.last_week, { pages: 0, titles: [] });
    const old = t.db.updateTable('pages').set({ facts: null }).where('source_id', '=', source.id);
    await old.execute();
    assert.equal((await preview({ ...body, match: ['service=db'] })).body.last_week, null);
    const until = await preview({ ...body, rrule: `FREQ=DAILY;UNTIL=${endsAt}` });
    assert.equal(until.body.occurrences.length, 1);
    assert.equal((await preview({ minutes: 5, match: ['x'] })).status, 400);
    assert.equal(
      (await edsger.call('POST', '/api/windows/preview', { team: 'sre', minutes: 5 })).status,
      403,
    );
    const { windows } = (await ada.call('GET', '/api/windows?team=sre')).body;
    assert.deepEqual(windows, []);
  });

  it('are visible to everybody, and managed by the people of the team', async () => {
    const window = await make();
    const listed = await edsger.call('GET', '/api/windows?state=active&team=sre');
    const seen = (listed.body.windows as WindowShown[]).find(({ id }) => id === window.id);
    assert.equal(seen?.may_change, false);
    for (const [method, path] of [
      ['POST', '/api/windows'],
      ['PATCH', `/api/windows/${window.id}`],
      ['DELETE', `/api/windows/${window.id}`],
    ] as const)
      assert.equal((await edsger.call(method, path, { team: 'sre', name: 'x', minutes: 5 })).status, 403);
    await end(window);
    const over = await ada.call('GET', '/api/windows?state=over');
    assert.ok((over.body.windows as WindowShown[]).some(({ id }) => id === window.id));
    assert.equal((await ada.call('DELETE', `/api/windows/${window.id}`)).status, 404);
  });

  it('are refused with every reason', async () => {
    assert.deepEqual(await refusal({ minutes: undefined }), [
      'ends_at is missing; give the time at which it ends, or minutes.',
    ]);
    assert.deepEqual(await refusal({ match: ['critical'] }), [
      'match[0] is "critical", which is not a matcher; write key=value, key!=value or key=~regex.',
    ]);
    assert.match(
      (await refusal({ starts_at: await inMinutes(-10) }))[0] ?? '',
      /^ends_at is .* which is past/,
    );
    assert.match(
      (await refusal({ silence: true, rrule: 'FREQ=DAILY', zone: 'UTC' }))[0] ?? '',
      /^rrule is given for a silence, which does not repeat/,
    );
    assert.match((await refusal({ rrule: 'FREQ=DAILY' }))[0] ?? '', /^zone is missing/);
    assert.match(
      (await refusal({ rrule: 'FREQ=DAILY', zone: 'UTC', minutes: 1_500 }))[0] ?? '',
      /^ends_at is after the start of the next repetition/,
    );
    assert.match((await refusal({ team: undefined }))[0] ?? '', /^team is missing/);
    assert.match((await refusal({ team: 'nobody' }))[0] ?? '', /^team is "nobody", which is not a team/);
    assert.match((await refusal({ page: 'page_0' }))[0] ?? '', /^page is unknown/);
    assert.match((await refusal({ source: 'source_0' }))[0] ?? '', /^source is not a page source/);
    const window = await make();
    const again = await ada.call('POST', '/api/windows', { team: 'sre', name: name(), minutes: 5 });
    assert.equal(again.status, 409);
    await end(window);
  });

  it('last at most a year', async () => {
    const year = 366 * 1_440;
    await end(await make({ minutes: year }));
    assert.equal(
      (await ada.call('POST', '/api/windows', { team: 'sre', name: 'x', minutes: year + 1 })).status,
      400,
    );
    const longer = { starts_at: await inMinutes(0), ends_at: await inMinutes(year + 1), minutes: undefined };
    assert.match((await refusal(longer))[0] ?? '', /^ends_at is more than 366 days after the start/);
  });
});
