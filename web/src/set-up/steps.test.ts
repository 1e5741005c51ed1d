import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Facts, setUpSteps } from './steps.ts';

const NOTHING: Facts = {
  manages: true,
  channels: [],
  people: [],
  schedules: [],
  ways: [],
  teams: [],
  pages: [],
};
const person = (name: string, reachable_by: 'contact_method' | null) => ({
  name,
  disabled: false,
  reachable_by,
});
const backstop = { id: 'u', name: 'Grace', email: 'grace@example.com' };
const schedule = { id: 's', name: 'Primary', enabled: true, stages: [], backstop, gap: null };
const ALL: Facts = {
  manages: true,
  channels: [{ channel: 'email', unavailable: null }],
  people: [person('Ada', 'contact_method'), person('Grace', 'contact_method')],
  schedules: [schedule],
  ways: [{ name: 'Prometheus', last_used_at: '2026-11-23T03:00:00Z', team: { slug: 'sre' } }],
  teams: [{ slug: 'sre' }],
  pages: [{ acknowledged_at: '2026-11-23T03:01:00Z', acknowledged_via: 'dashboard', drill: true }],
};
const open = (facts: Facts) =>
  setUpSteps(facts).flatMap(({ name, done, state }) => (done ? [] : [`${name}: ${state}`]));

describe('the steps of the set-up', () => {
  it('are all open in an empty organization, and all done in one that is ready', () => {
    assert.equal(open(NOTHING).length, 7);
    assert.deepEqual(open(ALL), []);
  });

  it('name who cannot be reached, and where to fix it', () => {
    const people = ['Alan', 'Edsger', 'Barbara', 'Linus'].map((name) => person(name, null));
    const [step] = setUpSteps({ ...ALL, people: [...ALL.people, ...people] }).filter(({ done }) => !done);
    assert.match(
      step?.state ?? '',
      /^4 of 6 people have no verified contact method: Alan, .*Barbara and 1 more\.$/,
    );
    assert.deepEqual(step?.link, { to: '/people', search: { show: 'unreachable' } });
  });

  it('send a drill in place, and show that nobody has acknowledged it', () => {
    const last = (pages: Facts['pages'], teams = ALL.teams) => setUpSteps({ ...ALL, teams, pages }).at(-1);
    assert.equal(last([])?.drill, true);
    assert.equal(last([], [])?.drill, false);
    const sent = last([{ acknowledged_at: null, acknowledged_via: null, drill: true }]);
    assert.equal(sent?.state, 'A drill was sent, but nobody has acknowledged it yet.');
    assert.equal(last(ALL.pages)?.done, true);
  });

  it('are open again when something is no longer done', () => {
    const gap = { stage: 1, starts_at: '', ends_at: '' };
    assert.deepEqual(open({ ...ALL, schedules: [{ ...schedule, gap }] }), [
      'Create a schedule without gaps: Primary has a time within 14 days at which nobody is on call.',
    ]);
    assert.deepEqual(
      open({ ...ALL, schedules: [schedule, { ...schedule, name: 'Second', backstop: null }] }),
      ['Choose a backstop: Second has none: if no stage answers, nobody else is notified.'],
    );
    assert.deepEqual(open({ ...ALL, channels: [{ channel: 'email', unavailable: 'Set SMTP_URL.' }] }), [
      'Set up how people are reached: Only push reaches a person whose dashboard is closed. Set up email, SMS or phone calls.',
    ]);
    // A disabled schedule needs nobody.
    assert.deepEqual(
      open({ ...ALL, schedules: [schedule, { ...schedule, enabled: false, backstop: null }] }),
      [],
    );
  });
});
