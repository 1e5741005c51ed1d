import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { applyText } from '../testing/apply-text.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

/** A Friday; Berlin is an hour ahead. */
const FRIDAY = Temporal.Instant.from('2026-11-20T12:00:00Z');

describe('a team that is on call in office hours only', () => {
  let t: Story;

  before(async () => {
    t = await story({
      organization: (receiver) => ({
        people: webhookPeople(receiver, 'ada', 'linus'),
        teams: { sre: { members: ['ada', 'linus'] } },
      }),
    });
    await t.clock.travelTo(t.db, FRIDAY);
    const users = await t.db.selectFrom('users').select(['email', 'username']).execute();
    const email = (name: string) => users.find(({ username }) => username === name)?.email;
    const file = `schedules:
  - name: Office
    team: sre
    time_zone: Europe/Berlin
    backstop: ${email('linus')}
    shifts: { every: week, hours: [{ days: [mon-fri], from: "09:00", to: "17:00" }] }
    stages: [ { stage: 1, members: [${email('ada')}] } ]`;
    await applyText(t, file);
  });
  after(() => t.end());

  it('pages the person on call within them', async () => {
    await t.page('team', 'sre', { urgency: 'high' });
    const [webhook] = await t.notified('ada');
    assert.ok(webhook);
    await t.acknowledge(webhook);
    await t.resolveAcknowledged();
  });

  it('pages the backstop at once outside them', async () => {
    await t.advance({ hours: 5 });
    await t.page('team', 'sre', { urgency: 'high' });
    const [webhook] = await t.notified('linus');
    assert.ok(webhook);
    await t.acknowledge(webhook);
    await t.resolveAcknowledged();
  });

  it('shows no gap on the weekend, and who is next', async () => {
    await t.advance({ hours: 20 });
    const { body } = await t.get('/api/on-call');
    const [team] = body.teams as {
      schedules: { gap: unknown; stages: { now: unknown[]; next: { starts_at: string } }[] }[];
    }[];
    const schedule = team?.schedules[0];
    assert.deepEqual([schedule?.gap, schedule?.stages[0]?.now], [null, []]);
    assert.equal(schedule?.stages[0]?.next.starts_at, '2026-11-23T08:00:00.000Z');
  });
});
