import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import pino from 'pino';
import {
  type LifeboatDatabases,
  lifeboatDatabases,
  secondLifeboat,
} from '../../testing/lifeboat-databases.ts';
import { type Organization, seedOrganization } from '../../testing/organization.ts';
import { databaseClock } from '../db/clock.ts';
import type { Database } from '../db/database.ts';
import { claimInstallation } from '../installation/store.ts';
import { createSealing } from '../kit/sealing.ts';
import { applySignals, type KeyedServices, type PageSignal } from '../pages/keyed.ts';
import type { Notifier } from '../pages/notifier.ts';
import { unacknowledgePage } from '../pages/reopening.ts';
import { forgetAnswers, openAboard, readAboard } from './aboard-store.ts';
import { applyAnswers, noteAnswers } from './answers.ts';
import { board, land } from './land.ts';
import { commonColumns } from './land-store.ts';

const LIFEBOATS = ['api-1', 'api-2'] as const;
type LifeboatName = (typeof LIFEBOATS)[number];

type Action = 'trigger' | 'acknowledge' | 'resolve';

/** What happens to one dedup key, and to the databases, one second after the other. */
type Step =
  | { what: 'event'; action: Action; node: LifeboatName }
  /** The open page of a lifeboat expires. */
  | { what: 'expire'; node: LifeboatName }
  /** A person takes back the acknowledgement of a lifeboat's page. */
  | { what: 'unacknowledge'; node: LifeboatName }
  | { what: 'away' }
  /** Lands one lifeboat, and interrupts it after some commits of the main database; null: not at all. */
  | { what: 'land'; node: LifeboatName; commits: number | null };

const node = fc.constantFrom(...LIFEBOATS);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('event' as const),
      action: fc.constantFrom(
        'trigger' as const,
        'trigger' as const,
        'resolve' as const,
        'resolve' as const,
        'acknowledge' as const,
      ),
      node,
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('unacknowledge' as const), node }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('expire' as const), node }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('away' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constant('land' as const),
      node,
      commits: fc.constantFrom(null, null, 1, 2, 3),
    }),
  },
);

const event = (action: Action, at: LifeboatName = 'api-1'): Step => ({ what: 'event', action, node: at });
const away: Step = { what: 'away' };
const interrupted = (at: LifeboatName, commits: number): Step => ({ what: 'land', node: at, commits });
const lands = (at: LifeboatName): Step => ({ what: 'land', node: at, commits: null });

/** Each of these once left a page that nobody was notified of. */
const FORMER_FAILURES: readonly (readonly Step[])[] = [
  // The page of the main database was taken for the same as the later one, and then ended.
  [event('trigger'), away, event('resolve'), event('trigger')],
  // The acknowledgement of the former page counted for the later one.
  [event('trigger'), event('acknowledge'), away, event('resolve'), event('trigger')],
  [away, event('trigger'), event('acknowledge'), event('resolve', 'api-2'), event('trigger'), lands('api-1')],
  [away, event('trigger'), lands('api-2'), event('acknowledge'), event('resolve', 'api-2'), event('trigger')],
  // The main database had the acknowledgement by an interrupted landing, but not that somebody took it back.
  [
    away,
    event('trigger'),
    event('acknowledge'),
    interrupted('api-1', 1),
    { what: 'unacknowledge', node: 'api-1' },
  ],
];

const INTERRUPTED = new Error('interrupted');
/** Signals are applied to rows alone: nobody is notified in this test. */
const SILENT: Partial<Notifier> = {
  cancel: async () => undefined,
  allClear: async () => ({ send: () => undefined }),
  quietAllClear: async () => undefined,
};

describe('the pages of a dedup key in several databases', { timeout: 300_000 }, () => {
  let databases: LifeboatDatabases;
  let second: Pick<LifeboatDatabases, 'local' | 'copy' | 'drop'>;
  let acme: Organization;
  let keys = 0;

  before(async () => {
    databases = await lifeboatDatabases();
    const { main } = databases;
    await claimInstallation(main, databaseClock, 'key');
    acme = await seedOrganization(
      { db: main, clock: databaseClock, sealing: createSealing(randomBytes(32)) },
      {
        people: { ada: { methods: [{ type: 'phone', value: '+4915155500001' }] } },
        teams: { sre: { members: ['ada'], schedules: [{ stages: [['ada']], backstop: 'ada' }] } },
      },
    );
    await databases.copy();
    second = await secondLifeboat(databases);
    await second.copy();
  });
  after(async () => {
    await second?.drop();
    await databases?.drop();
  });

  const boats = (): Record<LifeboatName, Database> => ({ 'api-1': databases.local, 'api-2': second.local });
  const standBy = (name: LifeboatName) => ({
    node: name,
    copiedAt: Temporal.Instant.from('2026-01-01T10:00:00Z'),
  });
  const log = pino({ level: 'silent' });

  /** Plays the steps for a new key. Returns the states of its open pages at the end, and what its events say about them. */
  async function play(steps: readonly Step[]) {
    const { main } = databases;
    const own = boats();
    for (const local of Object.values(own)) {
      await local.deleteFrom('requests').execute();
      await forgetAnswers(local);
    }
    const dedupKey = `key ${++keys}`;
    // The main database compares with its own time, so this is the real one, never twice the same.
    let newest = Temporal.Now.instant();
    const now = () => {
      const at = Temporal.Now.instant();
      newest = Temporal.Instant.compare(at, newest) > 0 ? at : newest.add({ microseconds: 1 });
      return newest;
    };
    const afloat = new Set<LifeboatName>();
    /** Calls that the main database accepted; it processes them once no lifeboat is afloat. */
    let held: PageSignal[] = [];
    /** The node that accepted the trigger of each page, which takes it aboard. */
    const acceptedBy = new Map<string, LifeboatName>();
    const wanted: { pages: 'open' | 'ended' | 'either' } = { pages: 'ended' };
    /** The databases in which it was acknowledged since its last resolution. */
    const acknowledgedIn = new Set<LifeboatName | 'main'>();

    const services = (db: Database): KeyedServices => ({
      ...{ db, clock: databaseClock, notifier: SILENT as Notifier },
      means: { unavailable: new Map(), allowPrivate: true },
      ...(db === main ? {} : { noteAnswers }),
    });
    const applyInMain: Parameters<typeof applyAnswers>[2] = (tx, signals) =>
      applySignals(tx, services(main), now(), signals);
    const apply = (db: Database, signal: PageSignal) =>
      db.transaction().execute((tx) => applySignals(tx, services(db), now(), [signal]));
    const signalOf = (action: Action): PageSignal => {
      const common = {
        ...{ organizationId: acme.id, scope: acme.teams.sre ?? '', dedupKey, source: null },
        ...{ userId: acme.users.ada ?? '', receivedAt: now() },
      };
      if (action !== 'trigger') return { ...common, action, lineOnly: false };
      const page = {
        ...{
          requestId: null,
          credential: 'api_key_1',
          recipient: { teamId: acme.teams.sre ?? '' },
          stage: null,
        },
        ...{ title: 'Disk full', text: 'x', sourceUrl: null, urgency: 'high' as const, facts: null },
      };
      return { ...common, action, page, reasons: [] };
    };
    const takeAboard = async (name: LifeboatName) => {
      const ofNode = (await openAboard(main)).filter(([request]) => acceptedBy.get(request ?? '') === name);
      if (ofNode.length === 0) return;
      const columns = await commonColumns(main, own[name]);
      await board(
        { columns, local: own[name], log, standBy: standBy(name) },
        await readAboard(main, ofNode.flat()),
      );
    };
    const landOne = async (name: LifeboatName, commits: number | null) => {
      let left = commits ?? Number.POSITIVE_INFINITY;
      const interrupt = () => {
        if (--left <= 0) throw INTERRUPTED;
      };
      await land({
        ...{ main, local: own[name], log, standBy: standBy(name), keeps: () => true },
        ...{ applySignals: applyInMain, acknowledge: async () => undefined, wake: interrupt },
        openLanded: async () => undefined,
        strand: async (id) => assert.fail(`${id} was stranded`),
      });
      afloat.delete(name);
    };
    const processHeld = async () => {
      if (afloat.size > 0) return;
      // As triggers are processed that were received long before, because lifeboats may have landed answers to them.
      for (const signal of held)
        await main.transaction().execute(async (tx) => {
          await applyInMain(tx, [signal]);
          if (signal.action === 'trigger') await applyAnswers(tx, [signal], applyInMain);
        });
      held = [];
    };
    const expire = async (name: LifeboatName) => {
      if (!afloat.has(name)) return;
      const pages = await own[name]
        .updateTable('pages')
        .set({ state: 'expired', expired_at: now() })
        .where('state', '=', 'notifying')
        .returning(['id', 'organization_id'])
        .execute();
      for (const { id, organization_id } of pages)
        await own[name]
          .insertInto('page_events')
          .values({ organization_id, page_id: id, at: now(), kind: 'expired', data: '{}' })
          .execute();
      if (pages.length > 0 && wanted.pages === 'open') wanted.pages = 'either';
    };
    const unacknowledge = async (name: LifeboatName) => {
      if (!afloat.has(name)) return;
      const db = own[name];
      const pages = await db.selectFrom('pages').select('id').where('state', '=', 'acknowledged').execute();
      const by = { userId: acme.users.ada ?? '', via: 'dashboard' } as const;
      for (const { id } of pages) await unacknowledgePage(services(db), id, by);
      if (pages.length > 0) acknowledgedIn.delete(name);
    };
    const raise = async (name: LifeboatName, action: Action) => {
      if (action === 'trigger') wanted.pages = 'open';
      else if (action === 'resolve') wanted.pages = 'ended';
      if (action === 'resolve') acknowledgedIn.clear();
      if (action === 'acknowledge') acknowledgedIn.add(afloat.has(name) ? name : 'main');
      if (!afloat.has(name)) {
        held.push(signalOf(action));
        const before = new Set((await openAboard(main)).flat());
        await processHeld();
        for (const [request] of await openAboard(main))
          if (request && !before.has(request)) acceptedBy.set(request, name);
      } else await apply(own[name], signalOf(action));
    };

    for (const step of steps) {
      if (step.what === 'event') await raise(step.node, step.action);
      else if (step.what === 'expire') await expire(step.node);
      else if (step.what === 'unacknowledge') await unacknowledge(step.node);
      else if (step.what === 'away')
        for (const name of LIFEBOATS) {
          if (afloat.has(name)) continue;
          await takeAboard(name);
          afloat.add(name);
        }
      else if (afloat.has(step.node))
        await landOne(step.node, step.commits).catch((error) => assert.equal(error, INTERRUPTED));
      await processHeld();
    }
    for (const name of LIFEBOATS) if (afloat.has(name)) await landOne(name, null);
    await processHeld();
    const open = await main
      .selectFrom('pages')
      .select('state')
      .where('dedup_key', '=', dedupKey)
      .where('state', 'in', ['notifying', 'acknowledged'])
      .execute();
    return {
      states: open.map(({ state }) => state),
      expected: wanted.pages,
      mayBeAcknowledged: acknowledgedIn.size > 0,
    };
  }

  it('are one open page after a trigger and none after a resolution, whichever databases were sent them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 2, maxLength: 14 }), async (steps) => {
        const { states, expected, mayBeAcknowledged } = await play(steps);
        const counts = { open: [1], ended: [0], either: [0, 1] }[expected];
        assert.ok(
          counts.includes(states.length),
          `${states.length} pages are open instead of ${counts.join(' or ')}`,
        );
        if (!mayBeAcknowledged) assert.ok(!states.includes('acknowledged'), 'nobody acknowledged it');
      }),
      { numRuns: Number(process.env.RUNS ?? 60), examples: FORMER_FAILURES.map((steps) => [[...steps]]) },
    );
  });
});
