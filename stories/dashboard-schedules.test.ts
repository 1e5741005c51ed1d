import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { launchBrowser, openTab, photograph, type StoryBrowser, type Tab } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { chooseFound } from '../testing/keyboard.ts';
import { signIn, signInLink } from '../testing/signed-in.ts';
import { type Story, story } from '../testing/story.ts';

/** A team's schedule from its creation on, as its people use it in their browsers. */
describe('schedules and availability in the dashboard', () => {
  let t: Story;
  let browser: StoryBrowser;
  const tabs: Record<string, Tab> = {};
  const pageOf = (person: string) => (tabs[person] as Tab).page;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: {
          people: { ada: {}, alan: {}, grace: {} },
          teams: { sre: { members: ['ada', 'alan', 'grace'] } },
        },
      }),
    ]);
    await t.db
      .updateTable('users')
      .set({ role: 'admin' })
      .where('id', '=', t.acme.users.ada ?? '')
      .execute();
    for (const person of ['ada', 'alan']) {
      tabs[person] = await openTab(browser);
      const { page } = tabs[person];
      await page.goto(await signInLink(t, person));
      await page.getByRole('button', { name: /sign in/i }).click();
      await page.getByRole('heading', { name: 'Now' }).waitFor();
    }
  });
  after(async () => {
    await browser?.close();
    await t?.end();
    // The browser also logs refusals that the story provokes.
    const refused = /status of 40[04]/;
    for (const { errors } of Object.values(tabs))
      assert.deepEqual(
        errors.filter((error) => !refused.test(error)),
        [],
      );
  });

  /** Chooses from a list by typing, as a person without a mouse does. */
  async function choose(page: Page, label: string, text: string): Promise<void> {
    const field = page.getByRole('combobox', { name: label });
    await field.click();
    await field.fill(text);
    await chooseFound(page, text);
  }

  async function shiftsOf(page: Page, person: string) {
    return page.locator(`[data-shift][aria-label^="${person}"]`);
  }

  it('creates a schedule, shows its next hand-offs at once, and plans it', async () => {
    const page = pageOf('ada');
    await page.getByRole('link', { name: 'Schedules' }).first().click();
    await page.getByText('You have none yet.').waitFor();
    await page.getByRole('link', { name: 'New schedule' }).click();
    await page.getByText('every week, hand-off Monday 09:00').waitFor();
    await page.locator('input[type=time]').fill('10:30');
    await page.getByText('every week, hand-off Monday 10:30').waitFor();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByText('is empty', { exact: false }).first().waitFor();
    // The end of the form does not repeat what the fields say.
    await page
      .getByRole('alert')
      .getByText('Correct the fields that are marked above, then save again.', { exact: true })
      .waitFor();
    await page.getByLabel('Name').fill('Around the clock');
    for (const name of ['Ada', 'Alan']) await choose(page, 'Who takes turns in stage 1', name);
    await choose(page, 'Backstop', 'Grace');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('heading', { name: 'Around the clock' }).waitFor();
    await (await shiftsOf(page, 'Ada')).first().waitFor();
    await (await shiftsOf(page, 'Alan')).first().waitFor();
  });

  it('fills a new schedule from a template, and shows who would be on call in its first weeks', async () => {
    const page = pageOf('ada');
    const before = page.url();
    await page.goto(`${t.url}/schedules/new`);
    const weeks = page.getByRole('region', { name: 'First weeks' });
    await weeks.getByText('Choose who takes turns to see who would be on call.').waitFor();
    await page.getByRole('button', { name: 'Weekly, with a secondary' }).click();
    await page
      .getByText('If the first person does not answer within five minutes', { exact: false })
      .waitFor();
    await weeks.getByText('Stage 2').waitFor();
    const people = () => weeks.getByRole('listitem').allInnerTexts();
    const shown = await people();
    // Two stages in which the team takes turns, with two people at a time.
    assert.equal(shown.length, 10);
    for (const name of ['Ada', 'Alan'])
      assert.ok(
        shown.some((line) => line.includes(name)),
        shown.join(),
      );
    await photograph(page, 'schedule-template');

    await page.getByRole('button', { name: 'Follow the sun' }).click();
    assert.deepEqual(
      await Promise.all([0, 1, 2].map((index) => page.getByLabel('Layer').nth(index).inputValue())),
      ['Asia and Australia', 'Europe and Africa', 'America'],
    );
    await weeks.getByText('Choose who takes turns to see who would be on call.').waitFor();
    await choose(page, 'Who takes turns in America', 'Ada');
    await weeks.getByText('Ada').first().waitFor();

    await page.getByRole('button', { name: 'Business hours' }).click();
    await page.getByText(/^every week.*09:00.*17:00/).waitFor();
    await page.getByLabel('Name').fill('Office');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByRole('heading', { name: 'Office' }).waitFor();
    const office = page.url().split('/').at(-1)?.split('?')[0] ?? '';
    const admin = await signIn(t, 'ada');
    await admin.call('PATCH', `/api/schedules/${office}`, { enabled: false });
    assert.equal((await admin.call('DELETE', `/api/schedules/${office}`)).status, 200);
    await page.goto(before);
  });

  it('moves between shifts by arrow keys, and opens and closes one by keyboard', async () => {
    const page = pageOf('ada');
    const first = page.locator('[data-shift][tabindex="0"]');
    await first.focus();
    const label = await first.getAttribute('aria-label');
    await page.keyboard.press('ArrowRight');
    const next = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    assert.notEqual(next, label);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('Shift ID').waitFor();
    assert.match(page.url(), /shift=shift_/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  it('opens a linked shift outside the weeks that are shown', async () => {
    const page = pageOf('ada');
    const last = await t.db
      .selectFrom('shifts')
      .select(['id', 'schedule_id'])
      .orderBy('starts_at', 'desc')
      .executeTakeFirstOrThrow();
    const before = page.url();
    await page.goto(`${t.url}/schedules/${last.schedule_id}?shift=${last.id}`);
    await page.getByRole('dialog').getByText(last.id).waitFor();
    await page.goto(`${t.url}/schedules/${last.schedule_id}?shift=shift_01m81cfb35fzrbmfvra8dj3gbr`);
    await page.getByText('This shift no longer exists').waitFor();
    await page.goto(before);
  });

  it('puts somebody on call by dragging over a time, and undoes it', async () => {
    const page = pageOf('ada');
    const track = page.locator('ul[aria-label="Stage 1"]');
    await track.hover({ trial: true });
    const box = await track.boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.3, box.y + 5);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.34, box.y + 6, { steps: 4 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Put somebody on call' });
    await dialog.waitFor();
    await choose(page, 'Who', 'Grace');
    const [from, to] = [dialog.getByLabel(/^From, in/), dialog.getByLabel(/^To, in/)];
    const end = await to.inputValue();
    await to.fill(await from.inputValue());
    await dialog.getByRole('button', { name: 'Put on call' }).click();
    await dialog.getByText('It is not after “From”; give a later time.').waitFor();
    assert.equal(await to.evaluate((field) => field.matches(':focus')), true);
    await to.fill(end);
    await dialog.getByRole('button', { name: 'Put on call' }).click();
    await (await shiftsOf(page, 'Grace')).first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await (await shiftsOf(page, 'Grace')).first().waitFor({ state: 'detached' });
  });

  it('moves a shift onto another person', async () => {
    const page = pageOf('ada');
    await page.getByRole('radiogroup').getByText('People').click();
    const lane = (name: string) => page.locator('[data-lane]').filter({ hasText: name });
    const shift = (await shiftsOf(page, 'Alan')).nth(1);
    await shift.hover({ trial: true });
    const [from, to] = [await shift.boundingBox(), await lane('Ada').boundingBox()];
    assert.ok(from && to);
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(from.x + from.width / 2, to.y + to.height / 2, { steps: 6 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Put somebody on call' });
    await dialog.waitFor();
    await eventually(() => dialog.getByRole('combobox', { name: 'Who' }).inputValue(), 'Ada');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Stages', { exact: true }).click();
  });

  it('drags an absence over days of a shift, and a cover opens', async () => {
    const page = pageOf('ada');
    await page.getByRole('link', { name: 'Availability' }).first().click();
    await page.getByRole('button', { name: 'Later month' }).click();
    const days = page.locator('[data-day]:not([data-outside])');
    await days.first().waitFor();
    const bar = page.getByText('Around the clock, stage 1').first();
    await bar.waitFor();
    const [from, to] = [await days.nth(1).boundingBox(), await days.nth(12).boundingBox()];
    assert.ok(from && to);
    await page.mouse.move(from.x + 8, from.y + 10);
    await page.mouse.down();
    await page.mouse.move(to.x + 8, to.y + 10, { steps: 5 });
    await page.mouse.up();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('Skiing');
    await dialog.getByText('You are on call then:').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('button', { name: /away: Skiing/ })
      .first()
      .waitFor();
    await t.app.duties.runAll();
  });

  it('lets a colleague take it in the schedule itself', async () => {
    const page = pageOf('alan');
    await page.getByRole('link', { name: 'Schedules' }).first().click();
    await page.getByRole('link', { name: 'Around the clock', exact: true }).first().click();
    const wanted = page.locator('[data-shift][data-wanted]').first();
    await wanted.waitFor();
    await wanted.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Take it' }).click();
    // A short shift has no room to show who was planned, but its label does.
    await page.locator('[data-shift][aria-label^="Alan, instead of Ada,"]').first().waitFor();
  });

  /** Alan's next shift for which Ada is not away. It depends on the weekday which one that is. */
  async function shiftThatAdaCanTake(): Promise<string> {
    const { ada = '', alan = '' } = t.acme.users;
    const { id } = await t.db
      .selectFrom('shifts')
      .select('id')
      .where('user_id', '=', alan)
      .where('starts_at', '>', await t.clock.now(t.db))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('availabilities')
              .select('availabilities.id')
              .where('availabilities.user_id', '=', ada)
              .whereRef('availabilities.starts_at', '<', 'shifts.ends_at')
              .whereRef('availabilities.ends_at', '>', 'shifts.starts_at'),
          ),
        ),
      )
      .orderBy('starts_at')
      .executeTakeFirstOrThrow();
    return id;
  }

  it('swaps two shifts when the other person agrees', async () => {
    const page = pageOf('alan');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.locator(`[data-shift="${await shiftThatAdaCanTake()}"]`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Swap' }).click();
    await choose(page, 'For which shift', 'Ada');
    await page.getByRole('button', { name: 'Propose the swap' }).click();
    const other = pageOf('ada');
    await other.goto(t.url);
    await other.getByRole('button', { name: 'Accept the swap' }).click();
    await other.getByRole('button', { name: 'Accept the swap' }).waitFor({ state: 'detached' });
  });

  it('makes a new plan as a draft, and publishes it', async () => {
    const page = pageOf('ada');
    await page.getByRole('link', { name: 'Schedules' }).first().click();
    await page.getByRole('link', { name: 'Around the clock', exact: true }).first().click();
    await page.getByRole('button', { name: 'Plan again' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await t.app.duties.runAll();
    await page.getByRole('button', { name: /^Publish/ }).click();
    await page.getByText('Published.').waitFor();
    await page.getByRole('button', { name: 'Plan again' }).waitFor();
  });

  it('sets a part of a share for a person in the form', async () => {
    const page = pageOf('ada');
    const { id } = await t.db.selectFrom('schedules').select('id').executeTakeFirstOrThrow();
    await page.goto(`${t.url}/schedules/${id}/edit`);
    const shares = page.getByRole('region', { name: 'Shares' });
    await page.getByText('Limits, and rules for individual people').click();
    await shares.getByLabel('alan').fill('60');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(`**/schedules/${id}`);
    await page.goto(`${t.url}/schedules/${id}/edit`);
    await shares.getByLabel('alan').waitFor();
    assert.equal(await shares.getByLabel('alan').inputValue(), '60');
    assert.equal(await shares.getByLabel('ada').inputValue(), '100');
    await page.goto(`${t.url}/schedules/${id}`);
  });

  it('sets limits of people and times that they never take, and explains why somebody cannot', async () => {
    const page = pageOf('ada');
    const before = page.url();
    const admin = await signIn(t, 'ada');
    const idOf = (name: string) => t.acme.users[name] ?? '';
    const made = await admin.call('POST', '/api/schedules', {
      ...{ name: 'Different people', team: 'sre', time_zone: 'UTC', strategy: 'fair', plan_ahead_weeks: 6 },
      shifts: { every: 'day', handoff: '09:00' },
      stages: [{ stage: 1, members: [idOf('ada'), idOf('alan'), idOf('grace')] }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const path = `/schedules/${made.body.id}`;
    await page.goto(`${t.url}${path}/edit`);
    const limits = page.getByRole('region', { name: 'Limits' });
    await page.getByText('Limits, and rules for individual people').click();
    await limits.getByLabel('Weekends in a row').fill('0');
    await limits.getByLabel('Hours a week', { exact: true }).fill('96.5');
    await limits.getByLabel('Free hours in a row each week').fill('24');
    await limits.getByLabel('Hours a week on average').fill('80');
    await limits.getByLabel('Weeks of the average').fill('8');
    await limits.getByRole('button', { name: 'Add a limit for one person' }).click();
    await choose(page, 'For', 'Alan');
    await limits.getByRole('combobox', { name: 'at most' }).click();
    await page.getByRole('option', { name: 'Nights in a row' }).click();
    await limits.getByLabel('Number').fill('');
    const times = page.getByRole('region', { name: 'Times of individual people' });
    await times.getByRole('button', { name: 'Add a time when a person is never on call' }).click();
    await choose(page, 'Person', 'Grace');
    await times.getByRole('button', { name: 'Add a first or last day' }).click();
    await times.getByLabel('First day').fill('2020-01-01');
    const save = async () => {
      await page.getByRole('button', { name: 'Save and plan' }).first().click();
      const sure = page.getByRole('dialog').getByRole('button', { name: 'Save and plan' });
      await Promise.race([sure.click().catch(() => undefined), page.waitForURL(`**${path}`)]);
    };
    await page.getByText('Limits, and rules for individual people').click();
    await limits.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save and plan' }).click();
    // The problem is in one of them, so they open.
    await limits
      .getByText(/whole number from 1 to 50/)
      .first()
      .waitFor();
    await limits.getByLabel('Weekends in a row').fill('1');
    await save();
    await page.waitForURL(`**${path}`);
    const { body } = await admin.call('GET', `/api${path}`);
    const { weekends_in_a_row, hours_per_week, average_hours_per_week, average_weeks } = body.limits;
    assert.deepEqual([weekends_in_a_row, hours_per_week], [1, 96.5]);
    assert.deepEqual([average_hours_per_week, average_weeks, body.limits.weekly_rest_hours], [80, 8, 24]);
    const different = new Map(body.people.map((one: { person: string }) => [one.person, one]));
    assert.deepEqual(different.get(idOf('alan')), {
      ...{ person: idOf('alan'), limits: { nights_in_a_row: null }, never: [] },
    });
    assert.deepEqual(different.get(idOf('grace')), {
      person: idOf('grace'),
      never: [{ days: ['sat', 'sun'], from: '00:00', to: '24:00' }],
    });
    assert.deepEqual(different.get(idOf('ada')), { person: idOf('ada'), from: '2020-01-01', never: [] });
    await page.goto(`${t.url}${path}/edit`);
    await limits.getByLabel('Hours a week', { exact: true }).waitFor();
    assert.equal(await limits.getByLabel('Hours a week', { exact: true }).inputValue(), '96.5');
    assert.equal(await times.getByLabel('First day').inputValue(), '2020-01-01');
    const now = await t.clock.now(t.db);
    const until = now.add({ hours: 24 * 35 });
    const { shifts } = (await admin.call('GET', `/api${path}/shifts?from=${now}&to=${until}`)).body;
    const weekend = shifts.find(
      ({ starts_at, person }: { starts_at: string; person: { id: string } | null }) =>
        person?.id === idOf('alan') &&
        Temporal.Instant.from(starts_at).toZonedDateTimeISO('UTC').dayOfWeek === 6 &&
        Temporal.Instant.compare(Temporal.Instant.from(starts_at), now.add({ hours: 24 * 8 })) > 0,
    );
    await page.goto(`${t.url}${path}?shift=${weekend.id}`);
    await page
      .getByText(/never takes shifts at that time/)
      .first()
      .waitFor();
    await page.goto(before);
    await admin.call('PATCH', `/api${path}`, { enabled: false });
    assert.equal((await admin.call('DELETE', `/api${path}`)).status, 200);
  });

  it('refuses numbers that were cleared instead of storing 0', async () => {
    const page = pageOf('ada');
    const before = page.url();
    const admin = await signIn(t, 'ada');
    const made = await admin.call('POST', '/api/schedules', {
      ...{ name: 'Cleared numbers', team: 'sre', time_zone: 'UTC' },
      ...{ rest_hours: 8, shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, members: [t.acme.users.ada ?? '', t.acme.users.alan ?? ''] }],
    });
    const path = `/schedules/${made.body.id}`;
    await page.goto(`${t.url}${path}/edit`);
    const fields = ['Ask again at high urgency, in minutes', 'Hours of rest between two shifts'];
    for (const name of fields) await page.getByLabel(name).fill('');
    await page.getByRole('button', { name: 'Save and plan' }).click();
    await page
      .getByText(/give a (whole )?number/)
      .nth(fields.length - 1)
      .waitFor();
    const { body } = await admin.call('GET', `/api${path}`);
    assert.equal(body.rest_hours, 8);
    assert.ok(body.acknowledge_timeout_minutes > 0);
    await page.goto(before);
  });

  it('names the limits of a rotation, which it hides and the plan ignores', async () => {
    const page = pageOf('ada');
    const before = page.url();
    const admin = await signIn(t, 'ada');
    const made = await admin.call('POST', '/api/schedules', {
      ...{ name: 'Limited turns', team: 'sre', time_zone: 'UTC', strategy: 'fair' },
      ...{ limits: { shifts_per_week: 2 }, shifts: { every: 'week', handoff: 'Monday 09:00' } },
      stages: [{ stage: 1, members: [t.acme.users.ada ?? '', t.acme.users.alan ?? ''] }],
    });
    const path = `/schedules/${made.body.id}`;
    await page.goto(`${t.url}${path}/edit`);
    await page.getByText('In a fixed rotation').click();
    await page.getByRole('button', { name: 'Save and plan' }).click();
    const warning = page.getByText('Limited turns is a rotation, and rotations ignore limits.', {
      exact: false,
    });
    await warning.waitFor();
    await page.goto(`${t.url}${path}/edit`);
    await page.getByRole('heading', { name: 'Change Limited turns' }).waitFor();
    await warning.waitFor();
    await page.goto(before);
  });

  it('sets juniors who are never on call together, and explains why one of them cannot', async () => {
    const page = pageOf('ada');
    const before = page.url();
    const admin = await signIn(t, 'ada');
    const idOf = (name: string) => t.acme.users[name] ?? '';
    const members = ['ada', 'alan', 'grace'].map(idOf);
    const made = await admin.call('POST', '/api/schedules', {
      ...{ name: 'Learning', team: 'sre', time_zone: 'UTC', strategy: 'fair', plan_ahead_weeks: 4 },
      shifts: { every: 'day', handoff: '09:00' },
      stages: [{ stage: 1, members, seats: 2 }],
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const path = `/schedules/${made.body.id}`;
    await page.goto(`${t.url}${path}/edit`);
    const juniors = page.getByRole('region', { name: 'Juniors' });
    await page.getByText('Limits, and rules for individual people').click();
    for (const name of ['Ada', 'Alan']) await choose(page, 'Juniors', name);
    // The list of a field with several values stays open, and may lie over what follows.
    await page.keyboard.press('Escape');
    await juniors.getByLabel('Never two juniors on call at the same time').check();
    await page.getByRole('button', { name: 'Add a group' }).click();
    for (const name of ['Ada', 'Grace']) await choose(page, 'Group 1', name);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await choose(page, 'On call only', 'Alan');
    for (const name of ['Ada', 'Grace']) await choose(page, 'together with one of', name);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save and plan' }).first().click();
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Save and plan' });
    await Promise.race([sure.click().catch(() => undefined), page.waitForURL(`**${path}`)]);
    await page.waitForURL(`**${path}`);
    const { body } = await admin.call('GET', `/api${path}`);
    const levels = body.people.map(({ person, level }: { person: string; level: string }) => [person, level]);
    assert.deepEqual(new Map(levels), new Map(['ada', 'alan'].map((name) => [idOf(name), 'junior'])));
    assert.equal(body.never_two_juniors, true);
    assert.deepEqual(body.never_together, [['ada', 'grace'].map(idOf)]);
    assert.deepEqual(body.only_with, [{ people: [idOf('alan')], with: ['ada', 'grace'].map(idOf) }]);
    const now = await t.clock.now(t.db);
    // Longer than any position of Ada's absence; she cannot be chosen while she is away.
    const { shifts } = (
      await admin.call('GET', `/api${path}/shifts?from=${now}&to=${now.add({ hours: 24 * 27 })}`)
    ).body;
    // The shift that moved to Grace shows the reason from the new plan.
    const reasons = await Promise.all(
      shifts.map(async ({ id }: { id: string }) => {
        const { reason } = (await admin.call('GET', `/api/shifts/${id}/reason`)).body;
        return JSON.stringify(reason).includes('"junior"') ? [id] : [];
      }),
    );
    const [id] = reasons.flat();
    assert.ok(id, JSON.stringify(shifts));
    await page.goto(`${t.url}${path}?shift=${id}`);
    await page
      .getByText(/cannot: (Ada|Alan), who is also junior, is on call then/)
      .first()
      .waitFor();
    await page.goto(`${t.url}${path}/edit`);
    await juniors.getByLabel('Never two juniors on call at the same time').waitFor();
    assert.equal(await juniors.getByLabel('Never two juniors on call at the same time').isChecked(), true);
    assert.match((await juniors.textContent()) ?? '', /Ada.*Alan|Alan.*Ada/);
    await choose(page, 'Fill in the limits of a law', 'European Union');
    assert.equal(await page.getByLabel('Hours of rest between two shifts').inputValue(), '11');
    assert.equal(await page.getByLabel('Hours a week', { exact: true }).inputValue(), '');
    assert.equal(await page.getByLabel('Hours a week on average').inputValue(), '48');
    assert.equal(await page.getByLabel('Free hours in a row each week').inputValue(), '35');
    await page.getByRole('link', { name: 'Directive 2003/88/EC, articles 3, 5, 6 and 16' }).waitFor();
    await page.goto(before);
    await admin.call('PATCH', `/api${path}`, { enabled: false });
    assert.equal((await admin.call('DELETE', `/api${path}`)).status, 200);
  });

  it('uses the people of another schedule in a stage', async () => {
    const page = pageOf('ada');
    await page.goto(`${t.url}/schedules/new`);
    await page.getByLabel('Name').fill('Second line');
    await choose(page, 'Who takes turns in stage 1', 'Grace');
    await page.getByRole('button', { name: 'Add a stage' }).click();
    const second = page.getByRole('group', { name: 'Stage 2' });
    await second.getByRole('button', { name: 'Use the people of another schedule' }).click();
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await second.getByText('is missing; give another schedule', { exact: false }).waitFor();
    await choose(page, 'Schedule', 'Around the clock');
    await page.getByRole('button', { name: 'Create the schedule' }).click();
    await page.getByText('Stage 2 is answered by the people of Around the clock, stage 1.').waitFor();
    await page.getByRole('link', { name: 'Around the clock' }).click();
    await page.getByText('The people of stage 1 also answer stage 2 of Second line.').waitFor();
  });

  it('enters an absence using only the keyboard, and restores a removed one', async () => {
    const page = pageOf('alan');
    await page.keyboard.press('Escape');
    await page.goto(`${t.url}/availability`);
    const today = page.locator('[data-day][tabindex="0"]');
    await today.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[placeholder=Holiday]:focus').waitFor();
    await page.keyboard.type('Dentist');
    await page.keyboard.press('Enter');
    const line = page.getByRole('button', { name: 'Remove Dentist' });
    await line.waitFor();
    await line.focus();
    await page.keyboard.press('Enter');
    await line.waitFor({ state: 'detached' });
    await page.getByText('Removed.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).press('Enter');
    await line.waitFor();
  });

  it('checks a CSV file row by row before it is saved', async () => {
    const page = pageOf('ada');
    await page.goto(`${t.url}/availability/upload`);
    const file = (text: string) => ({ name: 'away.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const head = 'email,start_time,end_time,name\n';
    const input = page.getByLabel('CSV file');
    await input.setInputFiles(
      file(`${head}grace@example.com,2027-02-01T00:00:00Z,,Move\ngrace@example.com,soon,,\n`),
    );
    await page.getByText('start_time is "soon"').waitFor();
    // A browser does not report the same file again, which has been corrected, unless the field is empty.
    const choosing = page.waitForEvent('filechooser');
    await input.click();
    await choosing;
    assert.equal(await input.inputValue(), '');
    await input.setInputFiles(file(`${head}grace@example.com,2027-02-01T00:00:00Z,,Move\n`));
    await page.getByText('1 record is previewed').waitFor();
    assert.equal(
      (await t.db.selectFrom('availabilities').select('id').where('name', '=', 'Move').execute()).length,
      0,
    );
    await page.getByRole('button', { name: 'Save 1 record' }).click();
    await page.getByText('1 record was created.').waitFor();
    await page.getByRole('link', { name: 'Team', exact: true }).click();
    await page.getByText('Left of 3').waitFor();
  });

  it('reads a file as German Excel saves it', async () => {
    const page = pageOf('ada');
    await page.goto(`${t.url}/availability/upload`);
    const text =
      'email;start_time;end_time;name\r\ngrace@example.com;24.12.2027;26.12.2027;Feiern über Ulm\r\n';
    const buffer = Buffer.from(text, 'latin1');
    await page.getByLabel('CSV file').setInputFiles({ name: 'urlaub.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: 'Save 1 record' }).click();
    await page.getByText('1 record was created.').waitFor();
    const { time_zone } = await t.db
      .selectFrom('users')
      .select('time_zone')
      .where('username', '=', 'ada')
      .executeTakeFirstOrThrow();
    const day = (date: string) => Temporal.PlainDate.from(date).toZonedDateTime(time_zone).toInstant();
    const stored = await t.db
      .selectFrom('availabilities')
      .select(['starts_at', 'ends_at'])
      .where('name', '=', 'Feiern über Ulm')
      .execute();
    assert.deepEqual(
      stored.map(({ starts_at, ends_at }) => [`${starts_at}`, `${ends_at}`]),
      [[`${day('2027-12-24')}`, `${day('2027-12-27')}`]],
    );
  });
});
