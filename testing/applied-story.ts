import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { applyText } from './apply-text.ts';
import { curl } from './curl.ts';
import { type Story, story } from './story.ts';

/** A Wednesday. The hand-off of weekly shifts is on Monday at 09:00 in Berlin, which is 08:00 UTC in winter. */
const NOW = '2026-11-18T12:00:00Z';

const FILE = `
organization: { name: Acme, time_zone: Europe/Berlin }
users:
  - email: ada@example.com
    name: Ada Lovelace
    contact_methods:
      - { type: webhook, value: "http://127.0.0.1:9000/ada" }
      - { type: chat, value: ada, chat_user_id: U024BE7LH }
      - { type: phone, value: "+15005550006" }
      - { type: email, value: ada@example.com }
      - { type: phone, value: "+15005550007" }
  - email: alan@example.com
    name: Alan Turing
    contact_methods: [ { type: email, value: alan@example.com } ]
  - { email: grace@example.com, name: Grace Hopper, contact_methods: [ { type: chat, value: grace } ] }
  - { email: joan@example.com, name: Joan Clarke }
teams:
  - { name: Site Reliability, slug: sre, members: [ada@example.com, alan@example.com, grace@example.com, joan@example.com] }
schedules:
  - name: SRE
    team: sre
    description: Round the clock
    time_zone: Europe/Berlin
    backstop: grace@example.com
    plan_ahead_weeks: 60
    shifts: { every: week, handoff: "Monday 09:00" }
    stages:
      - { stage: 1, members: [ada@example.com, alan@example.com] }
      - { stage: 1.5, members: [grace@example.com] }
    overrides:
      - { stage: 1, user: joan@example.com, start: 2026-11-20T00:00:00Z, end: 2026-11-21T00:00:00Z }
  - name: Database
    team: sre
    enabled: false
    shifts: { every: 1 hours }
    stages: [ { stage: 1, members: [ada@example.com, alan@example.com] } ]
  - name: "Büro & Co. 100%"
    team: sre
    shifts: { every: day }
    stages: [ { stage: 10, members: [ada@example.com] }, { stage: 2, members: [alan@example.com] } ]
availabilities:
  - { user: grace@example.com, type: hard_unavailable, name: Away, start: 2026-12-01T00:00:00Z, end: 2026-12-02T00:00:00Z }
`;

export type Reply = { status: number; body: Record<string, unknown> };

/** A running service with an applied file, called by the real curl. */
export type AppliedStory = {
  story(): Story;
  /** Schedule ids by name. */
  ids: Record<string, string>;
  /** `args`: curl arguments in addition to the URL and the key. */
  curl(path: string, ...args: string[]): Promise<Reply>;
};

/** Three schedules for all tests of a suite. Ada's second phone is not verified. */
export function appliedStory(): AppliedStory {
  let t: Story;
  const ids: Record<string, string> = {};

  before(async () => {
    t = await story({ organization: { people: { ada: {} } } });
    await t.clock.travelTo(t.db, Temporal.Instant.from(NOW));
    const { plans } = await applyText(t, FILE);
    for (const { id, name } of plans) ids[name] = id;
    await t.db
      .updateTable('contact_methods')
      .set({ verified_at: null })
      .where('value', '=', '+15005550007')
      .execute();
  });
  after(() => t.end());

  return {
    ids,
    story: () => t,
    curl: (path, ...args) => curl(t.acme.key, t.url + path, args),
  };
}

/** Arguments with which curl sends the next argument as the JSON body of a GET. */
export const JSON_BODY = ['-X', 'GET', '-H', 'Content-Type: application/json', '-d'];

/** The fields that an error answer names. */
export function refusedFields({ status, body }: Reply): string[] {
  assert.deepEqual([status, body.error], [400, 'Invalid request'], JSON.stringify(body));
  return (body.details as { field: string }[]).map(({ field }) => field).sort();
}
