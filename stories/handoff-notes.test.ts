import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { HandoffNote, NextHandoff } from '../src/handoffs/api-contract.ts';
import { type PageSource, pageSource } from '../testing/page-source.ts';
import { type SignedIn, signIn } from '../testing/signed-in.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';
import { weeklySchedule } from '../testing/weekly-schedule.ts';

describe('notes of hand-offs', () => {
  let t: Story;
  let ada: SignedIn;
  let grace: SignedIn;
  let linus: SignedIn;
  let source: PageSource;
  let schedule: string;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: { ...webhookPeople(receiver, 'ada', 'grace'), linus: {} },
        teams: { sre: { members: ['ada', 'grace'] } },
      }),
    });
    [ada, grace, linus] = [await signIn(t, 'ada'), await signIn(t, 'grace'), await signIn(t, 'linus')];
    source = await pageSource(t);
    schedule = await weeklySchedule(t, { stages: [['ada', 'grace']] });
  });
  after(() => t.end());

  const next = async (by = ada): Promise<NextHandoff> =>
    (await by.call('GET', `/api/schedules/${schedule}/handoff`)).body;
  const write = (by: SignedIn, text: string, revision: number) =>
    by.call('PUT', `/api/schedules/${schedule}/handoff`, { text, revision });
  const notes = async (): Promise<HandoffNote[]> =>
    (await ada.call('GET', `/api/schedules/${schedule}/handoffs`)).body.notes;
  const notices = async (by: SignedIn): Promise<{ subject: string; text: string; path: string }[]> => {
    const { body } = await by.call('GET', '/api/notices');
    return body.notices.filter(({ kind }: { kind: string }) => kind === 'schedule.handed_off');
  };
  const names = (people: readonly { name: string }[]) => people.map(({ name }) => name);
  /** Moves the clock to just after the next hand-off. */
  const handOff = async () => {
    const { at } = await next();
    assert.ok(at);
    await t.advance((await t.clock.now(t.db)).until(Temporal.Instant.from(at).add({ seconds: 10 })));
    await t.app.duties.runAll();
    return at;
  };

  it('show who hands over to whom, and the text for the next people', async () => {
    await t.app.duties.runAll();
    // The first people of a new schedule take over from nobody.
    assert.deepEqual([await notes(), await notices(ada)], [[], []]);
    const { changes, at, may_write, revision } = await next();
    assert.equal(Temporal.Instant.from(at ?? '').toZonedDateTimeISO('UTC').hour, 9);
    assert.deepEqual(
      changes.map(({ stage, from, to }) => [stage, names(from), names(to)]),
      [[1, ['Ada'], ['Grace']]],
    );
    assert.deepEqual([may_write, revision], [true, 0]);
    assert.equal((await next(linus)).may_write, false);
  });

  it("contain the text of the team's people, and never lose another person's text", async () => {
    const refused = await write(linus, 'Hello', 0);
    assert.equal(refused.status, 403);
    assert.match(JSON.stringify(refused.body), /belongs to another team/);
    assert.equal((await write(ada, 'The disk of db-1 is replaced on **Tuesday**.', 0)).body.revision, 1);
    const late = await write(grace, 'Nothing to say.', 0);
    assert.equal(late.status, 409);
    assert.match(JSON.stringify(late.body), /somebody else changed the note/);
    assert.equal((await write(grace, 'The disk of db-1 is replaced on Tuesday.', 1)).body.revision, 2);
    const { text, written_by } = await next();
    assert.deepEqual([text, written_by?.name], ['The disk of db-1 is replaced on Tuesday.', 'Grace']);
    assert.equal((await write(ada, 'x'.repeat(10_001), 2)).status, 400);
    assert.equal((await write(ada, 'x', -1)).status, 400);
  });

  it('go to both people at the hand-off, with pages, open pages, silences and covers', async () => {
    const { at = '' } = await next();
    const handoff = Temporal.Instant.from(at ?? '');
    await t.advance((await t.clock.now(t.db)).until(handoff.subtract({ minutes: 10 })));
    await source.post({ title: 'Disk full', dedup_key: 'disk', urgency: 'high' });
    await t.notified('ada');
    await source.post({ title: 'Slow', dedup_key: 'slow', urgency: 'low' });
    await t.notified('ada');
    await source.post({ action: 'resolve', dedup_key: 'slow' });
    await t.settle();
    t.receiver.inbox.takeAll();
    const until = handoff.add({ hours: 24 });
    const silence = await ada.call('POST', '/api/windows', {
      ...{ team: 'sre', name: 'Upgrade', source: source.id, ends_at: until.toString() },
    });
    assert.equal(silence.status, 201, JSON.stringify(silence.body));
    const [open] = (await ada.call('GET', '/api/pages?state=open')).body.pages;
    assert.equal((await ada.call('POST', `/api/pages/${open.id}/acknowledge`, {})).status, 200);
    const override = await ada.call('POST', `/api/schedules/${schedule}/overrides`, {
      ...{ stage: 1, user: t.acme.users.ada, starts_at: handoff.add({ hours: 48 }).toString() },
      ends_at: handoff.add({ hours: 50 }).toString(),
    });
    assert.equal(override.status, 201, JSON.stringify(override.body));

    await handOff();
    t.receiver.inbox.takeAll();
    const [note] = await notes();
    assert.ok(note);
    assert.deepEqual([note.at, note.written_by?.name], [at, 'Grace']);
    const { facts } = note;
    assert.deepEqual([facts.rang.pages, facts.rang.high, facts.rang.expired], [2, 1, 0]);
    assert.deepEqual(
      facts.open_pages.items.map(({ title, urgency, state }) => [title, urgency, state]),
      [['Disk full', 'high', 'acknowledged']],
    );
    assert.deepEqual(
      facts.windows.items.map(({ name }) => name),
      ['Upgrade'],
    );
    assert.deepEqual(
      facts.covers.items.map(({ person, instead_of, is_new }) => [person.name, instead_of?.name, is_new]),
      [['Ada', 'Grace', true]],
    );
    for (const person of [ada, grace]) {
      const [notice, ...more] = await notices(person);
      assert.ok(notice);
      assert.deepEqual(more, []);
      assert.equal(notice.subject, 'Hand-off of SRE: Ada to Grace');
      assert.equal(notice.path, `/schedules/${schedule}/handoff/${note.id}`);
      assert.match(notice.text, /^Grace wrote:\nThe disk of db-1 is replaced on Tuesday\.\n/);
      assert.match(notice.text, /\nStage 1: Ada handed over to Grace\.\n/);
      assert.match(notice.text, /\n2 pages since .+, 1 at high urgency: Disk full; Slow\.\n/);
      assert.match(notice.text, /\nOpen pages:\n- Disk full \(high, acknowledged\)\n/);
      assert.match(notice.text, /\nMaintenance windows and silences:\n- Upgrade, until /);
      assert.match(notice.text, /\n- Ada instead of Grace, stage 1, .+ \(new\)/);
    }
    assert.deepEqual(await notices(linus), []);
    assert.deepEqual((await ada.call('GET', `/api/handoffs/${note.id}`)).body, note);
  });

  it('are sent once, whatever runs twice, and start empty for the next hand-off', async () => {
    await Promise.all([t.app.duties.runAll(), t.app.duties.runAll()]);
    assert.equal((await notes()).length, 1);
    assert.equal((await notices(ada)).length, 1);
    const { text, revision, changes } = await next();
    assert.deepEqual([text, revision], ['', 0]);
    // Ada's override is the next change.
    assert.deepEqual(
      changes.map(({ from, to }) => [names(from), names(to)]),
      [[['Grace'], ['Ada']]],
    );
    const stale = await write(grace, 'Written for the hand-off that took place', 2);
    assert.equal(stale.status, 409);
  });

  it('exist for the hand-offs of an hour in which the service was down, and not for older ones', async () => {
    const { at } = await next();
    const now = await t.clock.now(t.db);
    await t.restart(now.until(Temporal.Instant.from(at ?? '').add({ minutes: 50 })));
    await t.app.duties.runAll();
    assert.equal((await notes()).length, 2);
    // Two hours later Grace is back on call.
    const back = await next();
    assert.deepEqual(names(back.changes.flatMap(({ to }) => to)), ['Grace']);
    await t.restart(
      (await t.clock.now(t.db)).until(Temporal.Instant.from(back.at ?? '').add({ minutes: 61 })),
    );
    await t.app.duties.runAll();
    assert.equal((await notes()).length, 2);
    t.receiver.inbox.takeAll();
  });

  it('of another organization, or unknown, cannot be seen', async () => {
    const unknown = await ada.call('GET', '/api/handoffs/handoff_01jd3v8k3ze2a9h5q7x0w4m6np');
    assert.equal(unknown.status, 404);
    assert.match(JSON.stringify(unknown.body), /not a hand-off of your organization/);
    assert.equal(
      (await ada.call('GET', '/api/schedules/schedule_01jd3v8k3ze2a9h5q7x0w4m6np/handoff')).status,
      404,
    );
  });
});
