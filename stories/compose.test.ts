import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { newId } from '../src/kit/typeid.ts';
import type { PreviewPerson, PreviewStep } from '../src/pages/compose-api-contract.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

const WORDS = { title: 'Checkout fails', text: 'Every third order is lost' };

describe('raising a page from the dashboard', () => {
  let t: Story;
  let ada: SignedIn;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace', 'alan'), linus: {} },
        teams: {
          sre: {
            members: ['ada', 'grace', 'alan'],
            schedules: [{ stages: [['ada'], ['grace']], backstop: 'alan' }],
          },
          empty: { members: ['linus'] },
        },
      }),
    });
    ada = await signIn(t, 'ada');
  });
  after(() => t.end());

  const preview = async (body: Record<string, unknown>) =>
    (await ada.call('POST', '/api/pages/preview', body)).body;

  const told = (steps: PreviewStep[]) =>
    steps.map((step) =>
      step.kind === 'expire'
        ? [step.after_seconds, 'expire']
        : [step.after_seconds, step.as, step.round, ...step.people.map(({ person }) => person.name)],
    );

  it('shows whom it would reach, and then reaches exactly them', async () => {
    const { refused, urgency, steps } = await preview({ kind: 'team', recipient: 'SRE', urgency: 'high' });
    assert.deepEqual([refused, urgency], [null, 'high']);
    assert.deepEqual(told(steps), [
      [0, 'stage', 1, 'Ada'],
      [300, 'stage', 1, 'Grace'],
      [600, 'backstop', 1, 'Alan'],
      [900, 'stage', 2, 'Ada'],
    ]);
    const [first] = steps[0].people as PreviewPerson[];
    assert.deepEqual(
      first?.notifications.map(({ channel, after_seconds, problem }) => [channel, after_seconds, problem]),
      [['webhook', 0, null]],
    );
    assert.match(first?.notifications[0]?.address ?? '', /^127\.0\.0\.1:\d+$/, 'shortened to its host');

    const made = await ada.call('POST', '/api/pages', {
      kind: 'team',
      recipient: 'sre',
      urgency: 'high',
      ...WORDS,
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const [notification] = await t.notified('ada');
    assert.equal(notification?.body.title, 'Checkout fails');
    const { page } = (await ada.call('GET', `/api/pages/${made.body.page_id}`)).body;
    assert.deepEqual([page.raised_by.name, page.urgency, page.team.slug], ['Ada', 'high', 'sre']);
    await ada.call('POST', `/api/pages/${page.id}/resolve`);
  });

  it('names a channel that is not set up before anybody relies on it', async () => {
    await t.db
      .insertInto('contact_methods')
      .values({
        id: 'contact_method_01h455vb4pex5vsknk084sn02q',
        organization_id: t.acme.id,
        user_id: t.acme.users.grace ?? '',
        position: 9,
        type: 'phone',
        value: '+15005550006',
        verified_at: await t.clock.now(t.db),
        created_at: await t.clock.now(t.db),
        updated_at: await t.clock.now(t.db),
      })
      .execute();
    const { steps } = await preview({ kind: 'person', recipient: 'grace@example.com' });
    const [grace] = steps[0].people as PreviewPerson[];
    const sms = grace?.notifications.find(({ channel }) => channel === 'sms');
    assert.equal(sms?.address, '+15 ••• 0006');
    assert.match(sms?.problem ?? '', /TWILIO_ACCOUNT_SID/);
    assert.deepEqual(
      grace?.notifications.filter(({ channel }) => channel === 'voice').map((call) => call.after_seconds),
      [120, 240, 360],
    );
  });

  it('counts a double press once', async () => {
    const body = { kind: 'person', recipient: 'ada@example.com', ...WORDS };
    const key = { 'idempotency-key': 'one press', 'sec-fetch-site': 'same-origin' };
    const [one, two] = await Promise.all([
      ada.call('POST', '/api/pages', body, key),
      ada.call('POST', '/api/pages', body, key),
    ]);
    assert.equal(one.body.page_id, two.body.page_id);
    await t.notified('ada');
    await ada.call('POST', `/api/pages/${one.body.page_id}/resolve`);
  });

  it('refuses a page that would reach nobody, shows that in the preview, and stores the refusal', async () => {
    const { refused, steps } = await preview({ kind: 'team', recipient: 'empty' });
    assert.match(refused, /nobody can be reached/);
    assert.deepEqual(steps, []);
    const answer = await ada.call('POST', '/api/pages', { kind: 'team', recipient: 'empty', ...WORDS });
    assert.equal(answer.status, 400);
    assert.match(answer.body.details[0].message, /nobody can be reached/);
    const list = (await ada.call('GET', '/api/refused-pages?limit=1')).body;
    const [kept] = list.refused;
    assert.deepEqual(
      [kept.kind, kept.title, kept.recipient, kept.by.name, kept.reasons[0].field],
      ['team', 'Checkout fails', 'empty', 'Ada', 'recipient'],
    );
  });

  it('names all problems at once', async () => {
    const answer = await ada.call('POST', '/api/pages', { kind: 'group', recipient: ' ', title: '' });
    assert.equal(answer.status, 400);
    assert.deepEqual(answer.body.details.map(({ field }: { field: string }) => field).toSorted(), [
      'kind',
      'recipient',
      'text',
      'title',
    ]);
  });

  it('links the page to its moment, and pages nobody about a moment that does not exist', async () => {
    const unknown = 'moment_01h455vb4pex5vsknk084sn02q';
    const body = { kind: 'team', recipient: 'sre', urgency: 'high', ...WORDS };
    const refused = await ada.call('POST', '/api/pages', { ...body, moment: unknown });
    assert.equal(refused.status, 400);
    assert.match(refused.body.details[0].message, /is not a moment of your organization/);
    const id = newId('moment');
    const at = await t.clock.now(t.db);
    await t.db
      .insertInto('moments')
      .values({
        ...{ id, organization_id: t.acme.id, team_id: t.acme.teams.sre ?? '', name: 'Orders vanish' },
        ...{ type: 'alert', priority: 'high', state: 'open', occurred_at: at, last_event_at: at },
        ...{ created_at: at, updated_at: at },
      })
      .execute();
    const { page_id } = (await ada.call('POST', '/api/pages', { ...body, moment: id })).body;
    await t.notified('ada');
    const { pages } = (await ada.call('GET', `/api/moments/${id}`)).body;
    assert.deepEqual(
      pages.map((page: { id: string }) => page.id),
      [page_id],
    );
    await ada.call('POST', `/api/pages/${page_id}/resolve`);
  });

  it('finds pages by state, urgency, team, person and words', async () => {
    const raise = async (body: Record<string, unknown>) =>
      (await ada.call('POST', '/api/pages', { kind: 'team', recipient: 'sre', ...WORDS, ...body })).body
        .page_id;
    const disk = await raise({ title: 'Disk 100% full of <db01>', urgency: 'low' });
    const cert = await raise({ title: 'Certificate ends', urgency: 'high' });
    await t.notified('ada', 'ada');
    await ada.call('POST', `/api/pages/${cert}/acknowledge`);
    const find = async (query: string) =>
      (await ada.call('GET', `/api/pages?${query}`)).body.pages.map(({ id }: { id: string }) => id);
    assert.deepEqual(await find('state=acknowledged'), [cert]);
    assert.deepEqual(await find('urgency=low'), [disk]);
    assert.deepEqual(await find('text=100%25'), [disk]);
    assert.deepEqual(await find('text=certificate&state=all'), [cert]);
    assert.deepEqual(await find(`team=${t.acme.teams.sre}&whose=mine`), [cert, disk]);
    assert.deepEqual(await find('team=team_01h455vb4pex5vsknk084sn02q'), []);
    assert.deepEqual(await find(`person=${t.acme.users.ada}`), [cert, disk]);
    assert.deepEqual(await find(`person=${t.acme.users.ada}&whose=mine`), [cert, disk]);
    assert.deepEqual(await find('person=user_01h455vb4pex5vsknk084sn02q'), []);
    assert.deepEqual(await find('person=user_01h455vb4pex5vsknk084sn02q&whose=mine'), []);
    const raisedAt = (await ada.call('GET', `/api/pages/${cert}`)).body.page.created_at;
    assert.deepEqual(await find(`from=${raisedAt}`), [cert]);
    assert.deepEqual(await find(`to=${raisedAt}`), [disk]);
    assert.deepEqual(await find(`from=${raisedAt}&to=${raisedAt}`), []);
    // The first and last instants that can be written, which are beyond any id.
    assert.deepEqual(await find('from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z'), [cert, disk]);
    assert.equal((await ada.call('GET', '/api/pages?from=yesterday')).status, 400);
    const bothOfDisk = async (more: string) => {
      assert.deepEqual(await find(`text=${encodeURIComponent('full, DIS')}${more}`), [disk], more);
      // PostgreSQL takes this word for a tag.
      assert.deepEqual(await find(`text=${encodeURIComponent('<db01> full')}${more}`), [disk], more);
      assert.deepEqual(await find(`text=isk${more}`), [], 'words are found by their beginning');
      assert.deepEqual(
        await find(`text=${encodeURIComponent('disk zebra')}${more}`),
        [],
        'all have to match',
      );
    };
    await bothOfDisk('');
    for (const id of [disk, cert]) await ada.call('POST', `/api/pages/${id}/resolve`);
    // An index finds the words of closed pages.
    for (const more of ['', '&whose=mine', `&person=${t.acme.users.ada}`, `&before=${cert}`])
      await bothOfDisk(`&state=all${more}`);
    assert.deepEqual(await find('text=full'), [], 'it is no longer open');
    assert.equal(
      (await find('state=all&text=%25')).length,
      (await find('state=all')).length,
      'no word at all',
    );
  });
});
