import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { MOST_MATCHERS, MOST_RULES, type SourceSettings } from '../src/sources/contract.ts';
import { barriers } from '../testing/accessibility.ts';
import {
  bringSession,
  launchBrowser,
  openTab,
  SIZES,
  type Size,
  type StoryBrowser,
  schemesAt,
  type Tab,
} from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { looksWell } from '../testing/looks.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, type StorySource, story, webhookPeople } from '../testing/story.ts';

const SETTINGS: SourceSettings = { urgencies: { warning: 'none' }, on_resolve: 'keep' };
const STAGING = { match: ['env=staging'], then: { ignore: true } };
const CRITICAL = { match: ['severity=critical'], then: { urgency: 'high' as const, team: 'web' } };
const SAVED = 'Saved. It applies from the next call.';

describe('the rules of page sources in a browser', () => {
  let t: Story;
  let browser: StoryBrowser;
  let manager: SignedIn;
  let member: SignedIn;
  let grace: Tab;
  let source: StorySource;
  let rules: Locator;
  let preview: Locator;

  before(async () => {
    [browser, t] = await Promise.all([
      launchBrowser(),
      story({
        organization: (receiver) => ({
          people: { ...webhookPeople(receiver, 'ada'), grace: {}, alan: {} },
          teams: {
            sre: { members: ['ada', 'grace', 'alan'], schedules: [{ stages: [['ada']] }] },
            web: { members: ['alan'], schedules: [{ stages: [['alan']] }] },
          },
        }),
      }),
    ]);
    await t.db
      .updateTable('team_members')
      .set({ role: 'manager' })
      .where('user_id', '=', t.acme.users.grace ?? '')
      .execute();
    [manager, member] = [await signIn(t, 'grace'), await signIn(t, 'alan')];
    grace = await openTab(browser);
    await bringSession(grace.page, manager, t.url);
    const urgencies = { warning: 'none' as const, critical: 'none' as const };
    source = await t.source({
      team: 'sre',
      name: 'Probes',
      type: 'custom',
      settings: { ...SETTINGS, urgencies },
    });
    await post({ title: 'Disk full', severity: 'critical', dedup_key: 'disk', labels: { env: 'prod' } });
    await post({ title: 'Slow', severity: 'warning', dedup_key: 'slow', labels: { env: 'staging' } });
    await patch(SETTINGS);
    rules = grace.page.getByRole('region', { name: 'Rules' });
    preview = rules.getByRole('region', { name: 'Preview' });
  });
  beforeEach(async () => {
    await patch({ rules: null, wait_minutes: null });
  });
  after(async () => {
    await browser?.close();
    await t.end();
  });

  const post = async (body: unknown) => {
    const answer = await t.post(source.path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    await t.settle();
  };
  const patch = async (settings: unknown) => {
    const answer = await manager.call('PATCH', `/api/sources/${source.id}`, { settings });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
  };
  const settingsNow = async () => (await manager.call('GET', `/api/sources/${source.id}`)).body.settings;
  const settingsBecome = (expected: unknown) =>
    eventually(async () => isDeepStrictEqual(await settingsNow(), expected), true);
  const open = async ({ page }: Tab = grace, id = source.id) => {
    await page.goto(`${t.url}/sources/${id}`);
    await page.getByText('Page source ·').waitFor();
  };
  const rule = (number: number) => rules.getByRole('listitem', { name: `Rule ${number}`, exact: true });
  const matcher = (number: number, index = 1) =>
    rules.getByRole('textbox', { name: `Matcher ${index} of rule ${number}`, exact: true });
  const choose = async (field: Locator, option: string) => {
    await field.click();
    await grace.page.getByRole('option', { name: option, exact: true }).click();
  };
  const focused = () => grace.page.evaluate<string>('document.activeElement?.getAttribute("aria-label")');

  it('are written, tried with the last calls, and saved separately from the other settings', async () => {
    await open();
    await rules.getByRole('button', { name: 'Add a rule' }).click();
    assert.equal(await focused(), 'Matcher 1 of rule 1');
    await preview.getByText('Rule 1 is not complete').waitFor();
    await preview.getByText('severity=critical').waitFor();
    await grace.page.keyboard.type('env=staging');
    await choose(rule(1).getByRole('combobox', { name: 'Then' }), 'Page nobody');
    await preview.getByText('Rule 1: env=staging → ignored.').waitFor();
    await rules.getByRole('button', { name: 'Add a rule' }).click();
    await matcher(2).fill('severity=~crit.*');
    await rules.getByRole('button', { name: 'Add a matcher to rule 2' }).click();
    await matcher(2, 2).fill('env!=test');
    await choose(rule(2).getByRole('combobox', { name: 'Who to page' }), 'Another team');
    await preview.getByText('Rule 2 is not complete').waitFor();
    await choose(rule(2).getByRole('combobox', { name: 'Team' }), 'WEB');
    await rule(2).getByLabel('Start at stage').fill('1');
    await rule(2).getByLabel('Wait before paging').fill('2');
    const text = 'Rule 2: severity=~crit.* and env!=test → high, team web, stage 1, after 2 minutes.';
    await preview.getByText(text).waitFor();
    assert.deepEqual(await barriers(grace.page), []);
    assert.deepEqual(await settingsNow(), SETTINGS);
    await rules.getByRole('button', { name: 'Save' }).click();
    await grace.page.getByText(SAVED).waitFor();
    assert.deepEqual(await settingsNow(), {
      ...SETTINGS,
      rules: [
        STAGING,
        {
          match: ['severity=~crit.*', 'env!=test'],
          then: { urgency: 'high', team: 'web', stage: 1, wait_minutes: 2 },
        },
      ],
    });
    await eventually(() => rules.getByRole('button', { name: 'Save' }).count(), 0);
    await choose(rule(2).getByRole('combobox', { name: 'Who to page' }), 'A person');
    await rule(2).getByRole('combobox', { name: 'Person' }).fill('alan');
    await grace.page.getByRole('option', { name: /alan/i }).first().click();
    await rules.getByRole('button', { name: 'Save' }).click();
    await eventually(
      async () => JSON.stringify((await settingsNow()).rules[1].then).includes('alan@example.com'),
      true,
    );
    assert.deepEqual((await settingsNow()).rules[1].then, {
      urgency: 'high',
      person: 'alan@example.com',
      wait_minutes: 2,
    });
  });

  it('move by their buttons and by keys, and keep the focus', async () => {
    await patch({ rules: [STAGING, CRITICAL] });
    await open();
    await rules.getByRole('button', { name: 'Move rule 2 up' }).click();
    assert.equal(await matcher(1).inputValue(), 'severity=critical');
    await rules.getByText('Rule 2 is now rule 1.').waitFor();
    assert.equal(await focused(), 'Move rule 1 down');
    await grace.page.keyboard.press('Enter');
    assert.equal(await matcher(1).inputValue(), 'env=staging');
    await eventually(() => rules.getByRole('button', { name: 'Save' }).count(), 0);
    await matcher(2).focus();
    await grace.page.keyboard.press('Alt+ArrowUp');
    assert.equal(await focused(), 'Matcher 1 of rule 1');
    assert.equal(await matcher(1).inputValue(), 'severity=critical');
    await grace.page.keyboard.press('Alt+ArrowUp');
    assert.equal(await focused(), 'Matcher 1 of rule 1');
    await rules.getByRole('button', { name: 'Save' }).click();
    await grace.page.getByText(SAVED).waitFor();
    assert.deepEqual((await settingsNow()).rules, [CRITICAL, STAGING]);
    await rules.getByRole('button', { name: 'Remove rule 1' }).click();
    await eventually(() => rules.getByRole('listitem', { name: /^Rule/ }).count(), 1);
    await rules.getByRole('button', { name: 'Undo the changes' }).click();
    await eventually(() => rules.getByRole('listitem', { name: /^Rule/ }).count(), 2);
  });

  it('show problems at each field, while they are written and when they are saved', async () => {
    await patch({ rules: [STAGING] });
    await open();
    await matcher(1).fill('env');
    await rule(1).getByText('It is "env", which is not a matcher; write key=value').waitFor();
    await matcher(1).fill('env=~(');
    await rule(1).getByText('which RE2 cannot read').waitFor();
    await matcher(1).fill('env=staging');
    await eventually(() => rule(1).getByText('RE2').count(), 0);
    await choose(rule(1).getByRole('combobox', { name: 'Then' }), 'Page');
    await choose(rule(1).getByRole('combobox', { name: 'Urgency' }), 'By its severity');
    await rule(1).getByText('at least one of urgency, team, stage, person').waitFor();
    await rule(1).getByLabel('Start at stage').fill('0');
    await rule(1).getByText('give the number of a stage').waitFor();
    await matcher(1).fill('');
    await rules.getByRole('button', { name: 'Save' }).click();
    await rule(1).getByText('give one or more of `key=value`').waitFor();
    assert.deepEqual((await settingsNow()).rules, [STAGING]);
  });

  it('and the other settings do not overwrite each other', async () => {
    await patch({ rules: [STAGING] });
    await open();
    const settings = grace.page.getByRole('region', { name: 'Settings' });
    await matcher(1).fill('env=test');
    await settings.getByLabel('Wait before paging').fill('5');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settingsBecome({ ...SETTINGS, rules: [STAGING], wait_minutes: 5 });
    assert.equal(await matcher(1).inputValue(), 'env=test');
    assert.equal(await rules.getByText('Somebody else changed the rules').count(), 0);
    await settings.getByLabel('Wait before paging').fill('6');
    await rules.getByRole('button', { name: 'Save' }).click();
    const changed = [{ ...STAGING, match: ['env=test'] }];
    await settingsBecome({ ...SETTINGS, rules: changed, wait_minutes: 5 });
    await matcher(1).fill('env=dev');
    await patch({ rules: [STAGING], on_acknowledge: 'ignore' });
    await settings.getByRole('button', { name: 'Save' }).click();
    await rules.getByText('Somebody else changed the rules meanwhile.').waitFor();
    await settingsBecome({ ...SETTINGS, rules: [STAGING], wait_minutes: 6, on_acknowledge: 'ignore' });
    await rules.getByRole('button', { name: 'Undo the changes' }).click();
    assert.equal(await matcher(1).inputValue(), 'env=staging');
    await patch({ on_acknowledge: null });
  });

  it('are at most fifty, with at most twenty matchers each', async () => {
    const match = Array.from({ length: MOST_MATCHERS - 1 }, (_, index) => `label${index}=x`);
    await patch({ rules: Array.from({ length: MOST_RULES - 1 }, () => ({ ...STAGING, match })) });
    await open();
    const addMatcher = rules.getByRole('button', { name: 'Add a matcher to rule 1', exact: true });
    await addMatcher.click();
    await eventually(() => addMatcher.isDisabled(), true);
    await rules.getByRole('button', { name: 'Add a rule' }).click();
    await eventually(() => rules.getByRole('button', { name: 'Add a rule' }).isDisabled(), true);
  });

  it('are shown to members, who cannot change them', async () => {
    await patch({ rules: [STAGING, CRITICAL] });
    const alan = await openTab(browser);
    await bringSession(alan.page, member, t.url);
    await open(alan);
    const region = alan.page.getByRole('region', { name: 'Rules' });
    const shown = region.getByRole('listitem');
    await region.getByText('managers, admins and owners can change them').waitFor();
    assert.deepEqual(
      await shown.allInnerTexts().then((all) => all.map((text) => text.replaceAll(/\s+/g, ' '))),
      ['Rule 1 env=staging → ignored', 'Rule 2 severity=critical → high, team web'],
    );
    assert.deepEqual(
      [await region.getByRole('button').count(), await region.getByRole('textbox').count()],
      [0, 0],
    );
    assert.deepEqual(await barriers(alan.page), []);
    const { status } = await member.call('PATCH', `/api/sources/${source.id}`, { settings: { rules: [] } });
    assert.equal(status, 403);
    await patch({ rules: null });
    await alan.page.reload();
    await region.getByText('It has no rules.').waitFor();
    await alan.close();
  });

  describe('and trying a call', () => {
    const panel = ({ page }: Tab = grace) => page.getByRole('region', { name: 'Try it' });

    it('show everybody what a received or a new call would do, and change nothing', async () => {
      await patch({ rules: [STAGING] });
      const alan = await openTab(browser);
      await bringSession(alan.page, member, t.url);
      await open(alan);
      const region = panel(alan);
      const result = region.getByRole('status', { name: 'Result' });
      await region.getByRole('button', { name: 'Try it' }).click();
      await result.getByText('Would not page anyone').waitFor();
      await result.getByText('Rule 1: env=staging → ignored.').waitFor();
      await region.getByText('A new call').click();
      await eventually(() => result.count(), 0);
      await region.getByRole('button', { name: 'Try it' }).click();
      await result.getByText('Would raise a page for SRE.').waitFor();
      await result.getByText('No rule matches.').waitFor();
      await result.getByRole('list', { name: 'Who would be reached' }).getByText('Ada').first().waitFor();
      await result.getByText('At once', { exact: true }).waitFor();
      assert.deepEqual(await barriers(alan.page), []);
      await region.getByLabel('Body').fill('{"severity": "critical"}');
      await region.getByRole('button', { name: 'Try it' }).click();
      await region.getByRole('alert').getByText('Title is missing').waitFor();
      await region.getByLabel('Body').fill('title=Disk+full&severity=warning');
      await region.getByLabel('Headers').fill('Content-Type: application/x-www-form-urlencoded');
      await region.getByRole('button', { name: 'Try it' }).click();
      await result.getByText('does not page', { exact: true }).waitFor();
      await t.notified();
      await alan.close();
    });

    it('use unsaved rules, and show that', async () => {
      await patch({ rules: [STAGING] });
      await open();
      await matcher(1).fill('severity=warning');
      await panel().getByText('With the rules above, which are not saved.').waitFor();
      await panel().getByRole('button', { name: 'Try it' }).click();
      const result = panel().getByRole('status', { name: 'Result' });
      await result.getByText('Rule 1: severity=warning → ignored.').waitFor();
      await matcher(1).fill('severity=critical');
      await eventually(() => result.count(), 0);
      assert.deepEqual((await settingsNow()).rules, [STAGING]);
    });

    it('are different for heartbeats, which have rules but no calls to try', async () => {
      const { id } = await t.source({ team: 'sre', name: 'Backup', type: 'heartbeat', intervalMinutes: 60 });
      await open(grace, id);
      await rules.getByRole('button', { name: 'Add a rule' }).click();
      await matcher(1).fill('title=Backup');
      await rules.getByRole('button', { name: 'Save' }).waitFor();
      assert.deepEqual([await preview.count(), await panel().count()], [0, 0]);
    });
  });

  for (const size of Object.keys(SIZES) as Size[]) {
    for (const scheme of schemesAt(size)) {
      it(`look good at ${SIZES[size].width} pixels, ${scheme}`, async () => {
        await patch({ rules: [STAGING, { ...CRITICAL, match: ['severity=critical', 'env!=test'] }] });
        const tab = await openTab(browser, size, scheme);
        const { page } = tab;
        await bringSession(page, manager, t.url);
        await open(tab);
        const region = page.getByRole('region', { name: 'Rules' });
        await region.getByRole('textbox', { name: 'Matcher 1 of rule 1' }).fill('env=~stag.*');
        await region.getByText('Rule 1: env=~stag.* → ignored.').waitFor();
        const tried = page.getByRole('region', { name: 'Try it' });
        await tried.getByText('A new call').click();
        await tried.getByRole('button', { name: 'Try it' }).click();
        await tried.getByRole('status', { name: 'Result' }).waitFor();
        await looksWell(page, `source-rules-${size}-${scheme}`, size);
        await region.getByRole('textbox', { name: 'Matcher 1 of rule 1' }).fill('env');
        await region.getByText('which is not a matcher').waitFor();
        await looksWell(page, `source-rules-wrong-${size}-${scheme}`, size);
        const hint = await region.getByText('move the focused rule').isVisible();
        assert.equal(hint, size !== 'phone');
        await bringSession(page, member, t.url);
        await open(tab);
        await region.getByText('Rule 2').waitFor();
        await looksWell(page, `source-rules-shown-${size}-${scheme}`, size);
        await tab.close();
      });
    }
  }
});
