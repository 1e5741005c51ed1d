import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from 'kysely';
import { newId } from '../src/kit/typeid.ts';
import { bringSession, launchBrowser, openTab, type StoryBrowser } from '../testing/browser.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const RUN = 'window.hacked=(window.hacked||0)+1';
/** Ends any context: text, attribute, script, style, Markdown. */
const HOSTILE = [
  `"'></title></script><script>${RUN}</script><img src=x onerror="${RUN}"><svg/onload="${RUN}">`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe><a href="javascript:${RUN}">a</a>`,
  `[b](javascript:${RUN}) ![c](x"onerror="${RUN}) <style>*{background:url(//evil.example)}</style>`,
  '{{constructor.constructor("alert(1)")()}} <form action=//evil.example><input name=x></form>',
].join(' ');

const CALENDAR = [
  ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', 'UID:1', 'DTSTAMP:20261101T000000Z'],
  ...['DTSTART:20301101T000000Z', 'DTEND:20301102T000000Z', 'SUMMARY:Off', 'END:VEVENT', 'END:VCALENDAR', ''],
].join('\r\n');

/** Columns whose text comes from a person, a program or a provider. Each must have a row here that was spoiled. */
const WORDS = [
  ...['organizations.name', 'users.name', 'teams.name', 'schedules.name', 'schedules.description'],
  ...[
    'pages.title',
    'pages.text',
    'pages.source_url',
    'moments.name',
    'moments.description',
    'moments.source',
  ],
  ...['moment_comments.text', 'webhooks.name', 'received_notifications.reason', 'requests.message'],
  ...['api_keys.name', 'availabilities.name', 'availability_sources.name', 'availability_sources.error'],
  ...[
    'holiday_calendars.name',
    'holiday_calendars.error',
    'holidays.name',
    'invitations.name',
    'passkeys.name',
  ],
  ...['covers.note', 'swaps.note', 'notices.subject', 'notices.text', 'problems.message', 'problems.fix'],
  ...['messages.subject', 'messages.text', 'messages.error', 'deliveries.address', 'deliveries.error'],
  ...[
    'delivery_attempts.error',
    'contact_methods.value',
    'sessions.user_agent',
    'sessions.place',
    'audit_log.subject',
  ],
];
/** Columns that only the service writes, with values from a fixed list; views could not show anything without them. */
const NO_WORDS = [
  ...[
    'organizations.time_zone',
    'schedules.time_zone',
    'schedules.settled',
    'users.time_zone',
    'covers.cause',
  ],
  ...['page_events.kind', 'pages.acknowledged_via', 'audit_log.action', 'received_notifications.integration'],
  ...[
    'holiday_calendars.url',
    'holiday_calendars.country',
    'holiday_calendars.region',
    'availability_sources.content',
    'availability_sources.host',
    'requests.credential',
  ],
  ...['installation.key_check', 'migrations.checksum'],
  // Values that the code declares.
  ...['deliveries.channel', 'messages.channel', 'pages.urgency', 'notification_rules.urgency'],
  ...['contact_methods.type', 'contact_method_sends.type', 'organizations.language', 'users.language'],
];

describe('texts of people and programs', () => {
  let t: Story;
  let ada: SignedIn;
  let browser: StoryBrowser;
  const ids: Record<string, string> = {};

  before(async () => {
    t = await story({
      // No mail server answers, so views also show waiting mails and their errors.
      env: { SMTP_URL: 'smtp://127.0.0.1:9', SMTP_FROM: 'tocsin@example.com', LOG_LEVEL: 'silent' },
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'grace'),
        teams: {
          sre: {
            members: ['ada', 'grace'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'grace' }],
          },
        },
      }),
    });
    browser = await launchBrowser();
    await t.db.updateTable('users').set({ role: 'owner' }).where('username', '=', 'ada').execute();
    ada = await signIn(t, 'ada');
    await everything();
    await spoil();
  });
  after(async () => {
    await browser?.close();
    t.receiver.inbox.takeAll();
    await t.end();
  });

  async function everything(): Promise<void> {
    const request = await t.page('team', 'sre', {
      title: HOSTILE.slice(0, 200),
      text: HOSTILE,
      urgency: 'high',
    });
    const { page } = await t.status(request);
    await ada.call('POST', `/api/pages/${page.id}/comments`, { text: HOSTILE });
    await ada.call('POST', '/api/pages', {
      kind: 'team',
      recipient: HOSTILE.slice(0, 90),
      title: HOSTILE.slice(0, 200),
      text: HOSTILE,
    });
    const webhook = (await ada.call('POST', '/api/webhooks', { team: 'sre', name: 'w', type: 'custom' }))
      .body;
    const path = new URL(webhook.url).pathname;
    await t.post(path, { name: HOSTILE.slice(0, 70), type: 'alert', description: HOSTILE });
    await t.post(path, `{"name":${JSON.stringify(HOSTILE)}`);
    await ada.call('POST', '/api/keys', { name: HOSTILE.slice(0, 100) });
    const span = { starts_at: '2030-01-01T00:00:00Z', ends_at: '2030-01-02T00:00:00Z' };
    await ada.call('POST', '/api/availabilities', {
      type: 'hard_unavailable',
      name: HOSTILE.slice(0, 100),
      ...span,
    });
    await t.settle();
    await theRarerThings();
    await t.settle();
    await t.app.duties.runAll();
    const first = async (table: 'schedules' | 'moments' | 'received_notifications') =>
      (await t.db.selectFrom(table).select('id').executeTakeFirstOrThrow()).id;
    Object.assign(ids, {
      ...{
        pages: page.id,
        people: t.acme.users.grace,
        teams: 'sre',
        webhooks: webhook.id,
        requests: request,
      },
      ...{ schedules: await first('schedules'), moments: await first('moments') },
      notifications: await first('received_notifications'),
    });
  }

  /** What the dashboard shows only at times: covers, swaps, calendars, invitations, notices, problems. */
  async function theRarerThings(): Promise<void> {
    const made = async (path: string, body: object) => {
      const answer = await ada.call('POST', path, body);
      assert.ok(answer.status < 300, `${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    };
    const { id: moment } = await t.db.selectFrom('moments').select('id').executeTakeFirstOrThrow();
    await made(`/api/moments/${moment}/comments`, { text: HOSTILE });
    const shifts = await t.db.selectFrom('shifts').select(['id', 'user_id']).execute();
    const [mine, theirs] = ['ada', 'grace'].map(
      (name) => shifts.find(({ user_id }) => user_id === t.acme.users[name])?.id,
    );
    await made(`/api/shifts/${mine}/offer`, { note: HOSTILE });
    await made(`/api/shifts/${mine}/swap`, { with: theirs, note: HOSTILE });
    await made('/api/holiday-calendars', { name: 'x', days: [{ date: '2026-12-24', name: 'x' }] });
    await made('/api/availability-sources', { name: 'x', ics: CALENDAR, events: 'all' });
    await made('/api/invitations', { email: 'x@example.com', name: 'x', role: 'member' });
    const [organization_id, user_id, at] = [t.acme.id, t.acme.users.ada ?? '', await t.clock.now(t.db)];
    const about = { subject: 'x', organization_id };
    await t.db
      .insertInto('notices')
      .values({ ...about, user_id, kind: 'shift.soon', text: 'x', created_at: at })
      .execute();
    await t.db
      .insertInto('problems')
      .values({ ...about, code: 'x', message: 'x', fix: 'x', first_at: at, last_at: at })
      .execute();
    await t.db
      .insertInto('passkeys')
      .values({
        ...{
          id: newId('passkey'),
          organization_id,
          user_id,
          name: 'x',
          counter: 0,
          transports: [],
          created_at: at,
        },
        ...{ credential_id: Buffer.from('x'), public_key: Buffer.from('x') },
      })
      .execute();
  }

  /** Writes the texts directly to the database: nothing may run even if a check lets them through one day. */
  async function spoil(): Promise<void> {
    const spoilt: string[] = [];
    for (const { name, columns } of await t.db.introspection.getTables())
      for (const column of columns.filter(({ dataType }) => dataType === 'text')) {
        const full = `${name}.${column.name}`;
        if (NO_WORDS.includes(full)) continue;
        const changed =
          await sql`update ${sql.table(name)} set ${sql.ref(column.name)} = left(${HOSTILE} || ctid::text, 200)`
            .execute(t.db)
            .catch((error: Error) =>
              assert.match(error.message, /(check|unique|foreign key) constraint/, full),
            );
        if (changed?.numAffectedRows) spoilt.push(full);
      }
    assert.deepEqual(
      WORDS.filter((column) => !spoilt.includes(column)),
      [],
      'there is no row of it, or the database refuses what people may write',
    );
  }

  /** Every view of the dashboard, taken from the routes that serve it. */
  const views = () =>
    [...t.app.base.routeTable]
      .filter(
        ([path, methods]) =>
          methods.has('GET') && VIEW.test(path) && !/^\/(api|docs)|oncalls$|^\/availabilities/.test(path),
      )
      .flatMap(([path]) =>
        path.endsWith('/*') ? [path.replace('/*', `/${ids[path.split('/')[1] ?? ''] ?? ''}`)] : [path],
      )
      .map((path) => path.replace(/^\/schedules\/:id/, `/schedules/${ids.schedules}`))
      .filter((path) => !path.includes(':'));
  /** Neither files nor the paths of programs. */
  const VIEW =
    /^\/(?!(healthz|readyz|metrics|v2\/|jsm\/|oidc|callbacks|schedules$|sign-in\/|calendar|request\/|a\/))[\w\-/:*]*$/;

  it('run nowhere in the dashboard, and violate no policy', async () => {
    const { page, errors, close } = await openTab(browser);
    await bringSession(page, ada, t.url);
    page.on('dialog', () => errors.push('a dialog'));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const paths = views();
    assert.ok(paths.length > 20, paths.join(' '));
    for (const path of paths) {
      errors.length = 0;
      await page.goto(t.url + path);
      // An open page for the viewer takes over the screen until somebody acknowledges it.
      await page
        .locator('main:visible, [role=dialog]:visible, h1:visible')
        .first()
        .waitFor()
        .catch((error: Error) => assert.fail(`${path}: ${errors.join()} ${error.message}`));
      await page.waitForLoadState('load');
      assert.equal(await page.evaluate('window.hacked'), undefined, path);
      const broken = errors.filter((text) =>
        /Content Security Policy|a dialog|is not defined|Cannot read/.test(text),
      );
      assert.deepEqual(broken, [], path);
      assert.equal(
        await page.locator('a[href^="javascript:"], iframe[srcdoc], img[onerror], svg[onload]').count(),
        0,
        path,
      );
    }
    assert.deepEqual(
      asked.filter((url) => url.includes('evil.example')),
      [],
    );
    await close();
  });

  it('run nowhere on the pages of links', async () => {
    const { page, errors, close } = await openTab(browser);
    page.on('dialog', () => errors.push('a dialog'));
    for (const path of [
      `/a/${encodeURIComponent(HOSTILE)}`,
      `/sign-in/${encodeURIComponent(HOSTILE.slice(0, 80))}`,
    ]) {
      await page.goto(t.url + path);
      assert.equal(await page.evaluate('window.hacked'), undefined, path);
    }
    await t.db
      .updateTable('contact_methods')
      .set({ value: `${t.receiver.url}ada` })
      .where('user_id', '=', t.acme.users.ada ?? '')
      .execute();
    t.receiver.inbox.takeAll();
    await t.page('person', 'ada@example.com', { title: HOSTILE.slice(0, 200), text: HOSTILE });
    const [got] = await t.notified('ada');
    await page.goto(String(got?.body.acknowledge_url));
    await page.getByRole('button').first().waitFor();
    assert.equal(await page.evaluate('window.hacked'), undefined);
    assert.deepEqual(
      errors.filter((text) => /Content Security Policy|a dialog/.test(text)),
      [],
    );
    await close();
  });
});
