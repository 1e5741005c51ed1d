import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Aboard } from './aboard-store.ts';
import { type Known, marked, prepare, unmarkable } from './prepare.ts';

const ORGANIZATION = { organization_id: 'organization_1' };
const FACTS = { at: '2026-01-01T12:00:00Z', node: 'api-1', copiedAt: '2026-01-01T10:00:00Z' };

const ABOARD: Aboard = {
  requests: [{ ...ORGANIZATION, id: 'request_1' }],
  idempotency_keys: [],
  pages: [
    {
      ...ORGANIZATION,
      ...{ id: 'page_1', request_id: 'request_1', kind: 'team', team_id: 'team_1', user_id: null },
      ...{ state: 'notifying', created_at: '2026-01-01T11:00:00Z', raised_by: 'user_gone' },
    },
  ],
  page_steps: [{ ...ORGANIZATION, page_id: 'page_1', state: 'due', may_repeat: false }],
  page_events: [],
  responders: [
    { ...ORGANIZATION, id: 1, page_id: 'page_1', user_id: 'user_1' },
    { ...ORGANIZATION, id: 2, page_id: 'page_1', user_id: 'user_gone' },
  ],
  deliveries: [
    {
      ...ORGANIZATION,
      ...{ id: 'delivery_1', page_id: 'page_1', responder_id: 1, user_id: 'user_1', repeat: false },
      ...{
        state: 'sending',
        lease_owner: 7,
        lease_until: FACTS.at,
        contact_method_id: 'contact_method_gone',
      },
    },
    { ...ORGANIZATION, id: 'delivery_2', page_id: 'page_1', responder_id: 2, user_id: 'user_gone' },
  ],
  delivery_attempts: [{ ...ORGANIZATION, delivery_id: 'delivery_1', attempt: 1, node: 7 }],
  request_pages: [],
  pages_again: [],
  all_clears: [],
  received_notifications: [],
  webhook_deliveries: [],
  waiting_pages: [],
  lifeboat_waiting: [],
  page_ends: [],
};

const KNOWN: Known = {
  organizations: new Set(['organization_1']),
  teams: new Set(['team_1']),
  users: new Set(['user_1']),
  methods: new Set(),
  webhooks: new Set(),
  pages: new Set(),
  sameAs: new Map(),
};

it('leaves out people who were deleted, and releases deliveries that the lifeboat was sending', () => {
  const landing = prepare(ABOARD, KNOWN, FACTS);
  assert.deepEqual(
    landing.responders.map(({ id }) => id),
    [1],
  );
  assert.equal(landing.pages[0]?.raised_by, null);
  const [delivery, ...others] = landing.deliveries;
  assert.deepEqual(others, []);
  const { state, repeat, lease_owner, contact_method_id } = delivery ?? {};
  assert.deepEqual([state, repeat, lease_owner, contact_method_id], ['waiting', true, null, null]);
  assert.deepEqual(
    landing.delivery_attempts.map(({ node }) => node),
    [0],
  );
  assert.deepEqual(
    landing.page_events.map(({ kind, at, data }) => [kind, at, data]),
    [['stand_by', '2026-01-01T11:00:00Z', { node: 'api-1', copied_at: FACTS.copiedAt }]],
  );
});

it('removes a page whose team was deleted, and drops rows of a deleted organization', () => {
  const homeless = prepare(ABOARD, { ...KNOWN, teams: new Set() }, FACTS);
  assert.deepEqual([homeless.pages, homeless.deliveries, homeless.page_steps], [[], [], []]);
  assert.equal(homeless.homeless.length, 1);
  assert.equal(homeless.requests.length, 1);
  const dropped = prepare(ABOARD, { ...KNOWN, organizations: new Set() }, FACTS);
  assert.deepEqual([dropped.requests, dropped.pages, dropped.homeless], [[], [], []]);
});

it('ends a duplicate with all unsent work, unless the page itself has already landed', () => {
  const sameAs = new Map([['page_1', 'page_2']]);
  const ended = prepare(ABOARD, { ...KNOWN, sameAs }, FACTS);
  assert.deepEqual([ended.pages[0]?.state, ended.pages[0]?.resolved_at], ['resolved', FACTS.at]);
  assert.equal(ended.page_steps[0]?.state, 'cancelled');
  assert.equal(ended.deliveries[0]?.state, 'cancelled');
  assert.deepEqual(
    ended.duplicates.map(({ kept }) => kept),
    ['page_2'],
  );
  const joined = prepare(ABOARD, { ...KNOWN, sameAs, pages: new Set(['page_1']) }, FACTS);
  assert.deepEqual([joined.pages[0]?.state, joined.duplicates], ['notifying', []]);
});

it('marks unfinished work, and recognizes rows that were not marked before', () => {
  const landing = marked(prepare(ABOARD, KNOWN, FACTS), 'lifeboat_1');
  assert.equal(landing.page_steps[0]?.may_repeat, true);
  assert.equal(landing.deliveries[0]?.repeat, true);
  assert.deepEqual(unmarkable(ABOARD), { pages: ['page_1'], deliveries: [] });
});
