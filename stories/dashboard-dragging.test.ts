import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  launchBrowser,
  openTab,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { type RotaStory, rotaStory } from '../testing/rota-story.ts';

const DAY = 86_400_000;

/** Ada manages a schedule in which Alan has a week. She drags its ends by mouse, touch and keyboard. */
describe('shifts that are dragged', () => {
  let browser: StoryBrowser;
  let rota: RotaStory;
  let planned: string[];
  let alans: string;
  /** The planned end of Alan's shift. */
  let endOfPlan: number;

  before(async () => {
    [browser, rota] = await Promise.all([launchBrowser(), rotaStory()]);
    planned = await shifts();
    alans = await rota.shiftOf('alan');
    endOfPlan = await endOf(alans);
  });
  after(async () => {
    await browser?.close();
    await rota?.end();
  });

  /** Who is on call in the first stage, according to the database. */
  async function shifts(): Promise<string[]> {
    const rows = await rota.t.db
      .selectFrom('shifts')
      .innerJoin('users', 'users.id', 'shifts.user_id')
      .select(['users.name', 'shifts.starts_at', 'shifts.ends_at'])
      .where('stage', '=', 1)
      .orderBy('starts_at')
      .execute();
    return rows.map(({ name, starts_at, ends_at }) => `${name} ${starts_at} ${ends_at}`);
  }

  async function endOf(id: string): Promise<number> {
    const { ends_at } = await rota.t.db
      .selectFrom('shifts')
      .select('ends_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return ends_at.epochMilliseconds;
  }

  async function opened(size: Size = 'desk', query = ''): Promise<Tab> {
    const tab = await openTab(browser, size, schemesAt(size)[0]);
    await rota.signInTo(tab, 'ada');
    await tab.page.goto(`${rota.t.url}/schedules/${rota.scheduleId}${query}`);
    await shift(tab.page).locator('[data-edge="end"]').waitFor({ state: 'attached' });
    return tab;
  }

  const shift = (page: Page, id = alans) => page.locator(`[data-shift="${id}"]`).first();
  const ghost = (page: Page) => page.locator('li[class*="ghost"]');
  const says = (page: Page) => page.getByRole('status').filter({ hasText: '–' });

  async function boxOf(what: Locator) {
    await what.scrollIntoViewIfNeeded();
    const box = await what.boundingBox();
    assert.ok(box);
    return box;
  }

  /** The row shows eight weeks. */
  async function dayWidth(page: Page): Promise<number> {
    return (await boxOf(page.locator('ul[data-from]').first())).width / 56;
  }

  /** Grabs one end of a shift with the mouse and moves it by this number of days. */
  async function pull(page: Page, days: number): Promise<void> {
    const { x, y, width, height } = await boxOf(shift(page));
    await page.mouse.move(x + width - 7, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + width - 7 + days * (await dayWidth(page)), y + height / 2, { steps: 6 });
    await ghost(page).waitFor();
  }

  it('by mouse: an end shows its times, moves when it is dropped, and moves back with undo', async () => {
    const { page, errors, close } = await opened();
    const end = await endOf(alans);
    await pull(page, 2);
    await says(page).getByText('Alan:').waitFor();
    await looksWell(page, `schedule-dragged-desk-${schemesAt('desk')[0]}`, 'desk', false);
    assert.deepEqual(await shifts(), planned, 'nothing changes before the drop');
    await page.keyboard.press('Escape');
    await ghost(page).waitFor({ state: 'detached' });
    await page.mouse.up();
    assert.deepEqual(await shifts(), planned);

    await pull(page, 2);
    await page.mouse.up();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const now = await shifts();
    assert.notDeepEqual(now, planned);
    const until = Temporal.Instant.fromEpochMilliseconds(end + 2 * DAY).toString();
    assert.ok(
      now.some((line) => line.startsWith('Alan') && line.endsWith(until)),
      now.join('\n'),
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(shifts, planned);
    assert.equal(page.url().includes('shift='), false, 'a drag does not open the shift');
    assert.deepEqual(errors, []);
    await close();
  });

  it('by keyboard: all of a shift, its start or its end', async () => {
    const { page, close } = await opened();
    await shift(page).focus();
    await page.keyboard.press('m');
    await page.getByText('Move the whole shift').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.getByText('Move the end').waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.getByText(/takes .* – /).waitFor();
    await looksWell(page, `schedule-dragged-keys-${schemesAt('desk')[0]}`, 'desk', false);
    await page.keyboard.press('Enter');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    assert.equal(await endOf(alans), endOfPlan - DAY);
    await undo.click();
    await eventually(shifts, planned);
    await close();
  });

  it('by touch: a held shift moves, and the page does not scroll', async () => {
    const { page, close } = await opened('phone');
    const touch = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', x?: number, y?: number) =>
      touch.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: x === undefined || y === undefined ? [] : [{ x, y }],
      });
    const { x, y, width, height } = await boxOf(shift(page));
    const [right, middle] = [x + width - 8, y + height / 2];
    await send('touchStart', right, middle);
    await ghost(page).waitFor();
    const day = await dayWidth(page);
    for (const step of [0.5, 1, 1.5, 2]) await send('touchMove', right - step * day, middle);
    await says(page).getByText('takes').waitFor();
    await looksWell(page, `schedule-dragged-phone-${schemesAt('phone')[0]}`, 'phone', false);
    assert.deepEqual(await shifts(), planned);
    await send('touchEnd');
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    assert.equal(await endOf(alans), endOfPlan - 2 * DAY);
    await undo.click();
    await eventually(shifts, planned);
    await close();
  });

  it('by touch: a finger that rests on a shift picks it up although new data arrives', async () => {
    const { page, close } = await opened('phone');
    await page.clock.install();
    await page.reload();
    const { x, y, width, height } = await boxOf(shift(page));
    await page.clock.pauseAt(Date.now() + 2_000);
    const touch = await page.context().newCDPSession(page);
    const touchPoints = [{ x: x + width / 2, y: y + height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    const name = 'Renamed meanwhile';
    const { status } = await rota.by.ada.call('PATCH', `/api/schedules/${rota.scheduleId}`, { name });
    assert.equal(status, 200);
    const heading = page.getByRole('heading', { name });
    const isRenamed = async () => {
      await page.clock.runFor(1);
      return heading.isVisible();
    };
    await eventually(isRenamed, true);
    assert.equal(await ghost(page).isVisible(), false);
    await page.clock.runFor(400);
    await ghost(page).waitFor();
    await page.keyboard.press('Escape');
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    assert.deepEqual(await shifts(), planned);
    await close();
  });

  it('moves an override as a whole, and the plan applies again at its former time', async () => {
    const { t, by, scheduleId } = rota;
    const from = endOfPlan - 4 * DAY;
    const text = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toString();
    const made = await by.ada.call('POST', `/api/schedules/${scheduleId}/overrides`, {
      ...{ stage: 1, seat: 1, user: t.acme.users.barbara },
      ...{ starts_at: text(from), ends_at: text(from + DAY) },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { page, close } = await opened();
    const { id } = await t.db
      .selectFrom('shifts')
      .select('id')
      .where('override_id', '=', made.body.override.id)
      .executeTakeFirstOrThrow();
    await shift(page, id).focus();
    await page.keyboard.press('m');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    const overrides = async () =>
      (await t.db.selectFrom('overrides').select(['starts_at', 'ends_at']).execute()).map(
        ({ starts_at, ends_at }) => `${starts_at} to ${ends_at}`,
      );
    assert.deepEqual(await overrides(), [`${text(from + 2 * DAY)} to ${text(from + 3 * DAY)}`]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await eventually(overrides, [`${text(from)} to ${text(from + DAY)}`]);
    const [left] = await t.db.selectFrom('overrides').select('id').execute();
    await by.ada.call('DELETE', `/api/schedules/${scheduleId}/overrides/${left?.id}`);
    assert.deepEqual(await shifts(), planned);
    await close();
  });

  it('gives the reason in a sentence if a shift cannot be dropped, and changes nothing', async () => {
    const { t, by, scheduleId } = rota;
    const end = await endOf(alans);
    const away = await by.ada.call('POST', '/api/availabilities', {
      ...{ person: t.acme.users.alan, type: 'hard_unavailable', name: 'Skiing' },
      starts_at: Temporal.Instant.fromEpochMilliseconds(end + DAY).toString(),
      ends_at: Temporal.Instant.fromEpochMilliseconds(end + 2 * DAY).toString(),
    });
    assert.equal(away.status, 201, JSON.stringify(away.body));
    const { page, close } = await opened();
    await pull(page, 3);
    await page.mouse.up();
    await page.getByText(/Alan Turing is away/).waitFor();
    assert.deepEqual(await shifts(), planned);

    const { id } = await t.db
      .selectFrom('shifts')
      .select('id')
      .where('schedule_id', '=', scheduleId)
      .where('stage', '=', 1)
      .where('starts_at', '<=', await t.clock.now(t.db))
      .where('ends_at', '>', await t.clock.now(t.db))
      .executeTakeFirstOrThrow();
    await shift(page, id).focus();
    await page.keyboard.press('m');
    await page.keyboard.press('ArrowRight');
    await page.getByText(/is on call already, so only the end of this shift can move/).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Nothing was changed.').waitFor();
    assert.deepEqual(await shifts(), planned);
    await close();
  });

  it('is only for people who manage the schedule', async () => {
    const tab = await openTab(browser);
    await rota.signInTo(tab, 'alan');
    await tab.page.goto(`${rota.t.url}/schedules/${rota.scheduleId}`);
    await shift(tab.page).waitFor();
    await shift(tab.page).focus();
    await tab.page.keyboard.press('m');
    assert.equal(await tab.page.locator('[data-edge]').count(), 0);
    const refused = await rota.by.alan.call(
      'POST',
      `/api/schedules/${rota.scheduleId}/overrides/changes`,
      {},
    );
    assert.equal(refused.status, 403);
    await tab.close();
  });
});
