import assert from 'node:assert/strict';
import { it } from 'node:test';
import { story, webhookPeople } from '../testing/story.ts';

it('operators see what was accepted, sent and is waiting', async () => {
  const t = await story({
    organization: (receiver) => ({
      people: webhookPeople(receiver, 'ada'),
      teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']] }] } },
    }),
  });
  const metric = async (line: string) => {
    const text = await t.metrics();
    return (
      text
        .split('\n')
        .find((known) => known.startsWith(`${line} `))
        ?.slice(line.length + 1) ?? null
    );
  };
  try {
    const twice = { 'idempotency-key': 'disk-full' };
    const page = { recipient: 'sre', title: 'Disk full', text: 'db-1 has no space left' };
    assert.equal((await t.post('/page/team', page, twice)).status, 200);
    assert.equal((await t.post('/page/team', page, twice)).status, 200);
    assert.equal((await t.post('/page/team', { title: 1 })).status, 400);
    assert.equal(await metric('tocsin_accepted_total{kind="page.team"}'), '1');
    assert.equal(await metric('tocsin_http_answers_total{route="/page/team",status="200"}'), '2');
    assert.equal(await metric('tocsin_http_answers_total{route="/page/team",status="400"}'), '1');

    await t.settle();
    await t.notified('ada');
    assert.equal(await metric('tocsin_deliveries_total{channel="webhook",outcome="accepted"}'), '1');
    assert.equal(await metric('tocsin_step_lag_seconds'), '0');
    assert.equal((await t.get('/readyz')).status, 200);

    // Nobody answers and no worker runs, so the next step is a minute late.
    t.clock.advance({ minutes: 16 });
    assert.ok(Number(await metric('tocsin_step_lag_seconds')) > 55);
    assert.ok(Number(await metric('tocsin_queue_age_seconds{queue="steps"}')) > 55);
    assert.equal((await t.get('/readyz')).status, 503);

    await t.settle();
    await t.notified('ada');
    assert.equal((await t.get('/readyz')).status, 200);
  } finally {
    await t.end();
  }
});
