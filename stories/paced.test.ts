import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../testing/eventually.ts';
import { type Story, story, webhookPeople } from '../testing/story.ts';

let t: Story;
before(async () => {
  // It only accepts pages; no worker processes them.
  t = await story({
    role: 'api',
    isPaced: true,
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada', 'grace'),
      teams: { loud: { members: ['ada'] }, quiet: { members: ['grace'] } },
    }),
  });
});
after(() => t.end());

let accepted = 0;
async function raise(recipient: string, urgency = 'low'): Promise<string> {
  const { status } = await t.post('/page/team', { recipient, urgency, title: 'One', text: 'of many' });
  assert.equal(status, 200);
  accepted++;
  return `${recipient} ${urgency}`;
}

it('a team whose pages are not processed in time gets later answers, other teams do not, and no page is refused', async () => {
  await Promise.all(Array.from({ length: 60 }, () => raise('loud')));
  t.clock.advance({ seconds: 1 });
  const firstAnswers = async () => {
    const order: string[] = [];
    const flood = Array.from({ length: 12 }, () => raise('loud'));
    const others = [raise('quiet'), raise('loud', 'high')];
    await Promise.all([...flood, ...others].map(async (one) => order.push(await one)));
    return order.slice(0, 2).sort();
  };
  await eventually(firstAnswers, ['loud high', 'quiet low']);
  const { rows } = await sql<{ pages: number }>`select count(*)::integer as pages from pages`.execute(t.db);
  assert.equal(rows[0]?.pages, accepted);
});
