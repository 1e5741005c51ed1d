import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ExamplePage, yearOfPages } from './page-year.ts';
import { TEAMS } from './people.ts';
import { createRandom } from './random.ts';
import type { Member, Scene } from './rota.ts';

const NOW = Temporal.Instant.from('2026-11-20T10:00:00Z');

describe('a year of pages', () => {
  const pages = yearOfPages(scene(), [{ userId: 'first', credential: 'key' }], createRandom(7));

  it('is the same in each run', () => {
    const again = yearOfPages(scene(), [{ userId: 'first', credential: 'key' }], createRandom(7));
    assert.deepEqual(again.map(facts), pages.map(facts));
    assert.ok(pages.length > 400);
  });

  it('has every state that a page can be in', () => {
    const states = new Set(pages.map(({ history }) => history.page.state));
    assert.deepEqual([...states].toSorted(), ['acknowledged', 'expired', 'notifying', 'resolved']);
  });

  it('lets only notified people acknowledge, and only on channels that reached them', () => {
    for (const { history } of pages) {
      const { acknowledged_at: at, acknowledged_by: by, acknowledged_via: via } = history.page;
      if (!at) continue;
      const own = history.responders.filter(({ responder }) => responder.user_id === by);
      assert.ok(own.some(({ responder }) => isBefore(responder.started_at, at)));
      if (via !== 'sms' && via !== 'voice') continue;
      const reached = own.flatMap(({ sent }) => sent.map(({ delivery }) => delivery));
      assert.ok(reached.some(({ channel, receipt }) => channel === via && receipt === 'delivered'));
    }
  });

  it('leaves no work on an answered page, and sends nothing after the answer', () => {
    for (const { history } of pages) {
      const at = history.page.acknowledged_at;
      if (!at) continue;
      assert.ok(history.steps.every(({ state }) => state !== 'due'));
      for (const { delivery } of history.responders.flatMap(({ sent }) => sent))
        assert.ok(delivery.state === 'cancelled' || (delivery.sent_at && isBefore(delivery.sent_at, at)));
    }
  });

  it('records the events of each page in their order', () => {
    for (const { history } of pages)
      for (const [index, event] of history.events.entries())
        assert.ok(index === 0 || !isBefore(event.at, history.events[index - 1]?.at ?? event.at));
  });
});

function facts({ history: { page, events } }: ExamplePage) {
  return [page.title, String(page.created_at), page.state, page.acknowledged_by, events.length];
}

function isBefore(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) < 0;
}

/** Two stages in each team, with the same person all the time. */
function scene(): Scene {
  const teams = TEAMS.map(({ slug }) => ({
    id: `team_${slug}`,
    slug,
    memberIds: ['first', 'second', 'third'],
  }));
  const [from, to] = [NOW.subtract({ hours: 10_000 }), NOW.add({ hours: 1_000 })];
  return {
    organizationId: 'organization',
    now: NOW,
    teams,
    members: new Map(['first', 'second', 'third'].map((handle) => [handle, member(handle)])),
    stages: teams.flatMap(({ id }) =>
      [1, 2].map((stage) => ({
        teamId: id,
        stage,
        escalateAfterMs: 300_000,
        schedule: 'All week',
        backstopUserId: 'third',
      })),
    ),
    shifts: teams.flatMap(({ id }) =>
      ['first', 'second'].map((handle, index) => ({
        ...{ id: `shift_${index}`, scheduleId: 'schedule', schedule: 'All week', teamId: id },
        stage: index + 1,
        userId: handle,
        handle,
        from,
        to,
      })),
    ),
  };
}

function member(handle: string): Member {
  const method = (type: 'phone' | 'email' | 'chat', position: number) => ({
    ...{ id: `${handle} ${type}`, type, value: handle, verified: true, position },
  });
  const methods = [method('phone', 0), method('chat', 1), method('email', 2)];
  return { userId: handle, handle, timeZone: 'Europe/Berlin', methods };
}
