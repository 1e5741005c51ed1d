/**
 * Names and titles appear in headers, lists and single lines, so line breaks and bidirectional controls are removed
 * from them.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Story, story, webhookPeople } from '../testing/story.ts';

let t: Story;
before(async () => {
  t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
    }),
  });
  await t.db.updateTable('users').set({ role: 'owner' }).execute();
});
after(() => t.end());

const HOSTILE = 'Ops\r\nBcc: eve@example.com\u202Egnp.exe\u2066\u2028 end';
const PLAIN = 'Ops Bcc: eve@example.comgnp.exe  end';

test('the title of a page', async () => {
  await t.page('team', 'sre', { title: HOSTILE });
  const [webhook] = await t.notified('ada');
  assert.equal(webhook?.body.title, PLAIN);
  const refused = await t.post('/page/team', { recipient: 'sre', title: '\u202E\u2066', text: 'x' });
  assert.equal(refused.status, 400);
});

test('the name of a team', async () => {
  const made = await t.post('/api/teams', { name: HOSTILE, slug: 'ops' });
  assert.ok(made.status === 200 || made.status === 201, JSON.stringify(made.body));
  const names = await t.db.selectFrom('teams').select('name').where('slug', '=', 'ops').execute();
  assert.deepEqual(names, [{ name: PLAIN }]);
});

test('the name of a holiday, written in the dashboard or in a calendar', async () => {
  const year = (await t.clock.now(t.db)).toZonedDateTimeISO('UTC').year + 1;
  const days = [{ date: `${year}-12-24`, name: HOSTILE }];
  const written = await t.post('/api/holiday-calendars', { name: 'Written', days });
  const summary = 'SUMMARY:Ops\\nBcc: eve@example.com\u202Egnp.exe\u2066\u2028 end';
  const event = ['UID:1', 'DTSTAMP:20261101T000000Z', `DTSTART;VALUE=DATE:${year}1224`, summary];
  const lines = ['VERSION:2.0', 'PRODID:x', 'BEGIN:VEVENT', ...event, 'END:VEVENT'];
  const ics = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
  const read = await t.post('/api/holiday-calendars', { name: 'Read', ics });
  for (const { status, body } of [written, read]) {
    assert.equal(status, 201, JSON.stringify(body));
    const { body: shown } = await t.get(`/api/holiday-calendars/${body.id}`);
    assert.deepEqual(shown.days, [{ date: `${year}-12-24`, name: PLAIN }]);
  }
  for (const hostile of [{ days: [{ date: `${year}-12-24`, name: 'x\0' }] }, { days, schedule: 'x\0' }])
    assert.equal((await t.post('/api/holiday-calendars', { name: 'Hostile', ...hostile })).status, 400);
});
