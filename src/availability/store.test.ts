import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startUploads } from '../../testing/uploads.ts';
import { insertAvailability, upsertAvailabilities } from './actions.ts';
import type { NewAvailability } from './record.ts';
import { awayAt, removeAllBut } from './store.ts';

const { db, organization, person, count } = await startUploads({ after });
const instant = (text: string) => Temporal.Instant.from(text);
const AT = instant('2026-11-20T09:00:00.123456Z');

function absence(
  userId: string,
  from: string,
  to: string,
  more: Partial<NewAvailability> = {},
): NewAvailability {
  const [startsAt, endsAt] = [instant(from), instant(to)];
  return { userId, type: 'hard_unavailable', name: '', startsAt, endsAt, ...more };
}

test('a person is away from the start of a record until just before its end', async () => {
  const acme = await organization();
  const ada = await person(acme, 'ada@example.com');
  const day = await insertAvailability(
    db,
    AT,
    acme,
    absence(ada, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
  );
  const away = async (at: string) => (await awayAt(db, [ada], instant(at))).map((one) => one.availabilityId);
  assert.deepEqual(await away('2025-12-31T23:59:59.999Z'), []);
  assert.deepEqual(await away('2026-01-01T00:00:00Z'), [day.id]);
  assert.deepEqual(await away('2026-01-01T23:59:59.999Z'), [day.id]);
  assert.deepEqual(await away('2026-01-02T00:00:00Z'), []);
});

test('of several absences, the one that ends last counts; preferences and requests do not count', async () => {
  const acme = await organization();
  const [ada, bob, eve] = [
    await person(acme, 'ada@example.com'),
    await person(acme, 'bob@example.com'),
    await person(acme, 'eve@example.com'),
  ];
  const at = instant('2026-01-01T12:00:00Z');
  await db
    .transaction()
    .execute((tx) =>
      upsertAvailabilities(tx, AT, acme, [
        absence(ada, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', { name: 'short' }),
        absence(ada, '2026-01-01T06:00:00Z', '2026-01-09T00:00:00Z', { name: 'long' }),
        absence(ada, '2025-01-01T00:00:00Z', '2026-01-03T00:00:00Z', { name: 'old' }),
        absence(bob, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', { type: 'soft_unavailable' }),
        absence(bob, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', { type: 'requested' }),
        absence(eve, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
      ]),
    );
  const away = await awayAt(db, [ada, bob], at);
  assert.deepEqual(
    away.map(({ userId, name, until }) => ({ userId, name, until: until.toString() })),
    [{ userId: ada, name: 'long', until: '2026-01-09T00:00:00Z' }],
  );
  assert.deepEqual(await awayAt(db, [], at), []);
});

test('rows are returned in order, each marked as new or existing', async () => {
  const acme = await organization();
  const ada = await person(acme, 'ada@example.com');
  const [later, sooner] = [
    absence(ada, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', { name: 'later' }),
    absence(ada, '2026-02-01T00:00:00Z', '2026-02-02T00:00:00Z', { name: 'sooner' }),
  ];
  const known = await insertAvailability(db, AT, acme, sooner);
  const saved = await db
    .transaction()
    .execute((tx) => upsertAvailabilities(tx, AT.add({ hours: 1 }), acme, [later, sooner, later]));
  assert.deepEqual(
    saved.map(({ created, record }) => [created, record.name]),
    [
      [true, 'later'],
      [false, 'sooner'],
      [true, 'later'],
    ],
  );
  assert.equal(saved[0]?.record.id, saved[2]?.record.id);
  const found = saved[1]?.record;
  assert.equal(found?.id, known.id);
  assert.equal(found?.createdAt.toString(), AT.toString());
  assert.equal(await count(acme), 2);
});

test('two transactions that save the same rows in opposite orders wait for each other without a deadlock', async () => {
  const acme = await organization();
  const ada = await person(acme, 'ada@example.com');
  const first = absence(ada, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z');
  const rows = Array.from({ length: 5_000 }, (_, index) => ({
    ...first,
    startsAt: first.startsAt.add({ seconds: index }),
  }));
  const both = [rows, rows.toReversed()].map((some) =>
    db.transaction().execute((tx) => upsertAvailabilities(tx, AT, acme, some)),
  );
  const [forwards, backwards] = await Promise.all(both);
  const idsOf = (saved: typeof forwards) => saved?.map(({ record }) => record.id);
  assert.deepEqual(idsOf(forwards), idsOf(backwards)?.toReversed());
  assert.equal(await count(acme), rows.length);
});

test('records with any difference are different', async () => {
  const acme = await organization();
  const [ada, bob] = [await person(acme, 'ada@example.com'), await person(acme, 'bob@example.com')];
  const one = absence(ada, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', { name: 'x' });
  const rows = [
    one,
    { ...one, userId: bob },
    { ...one, type: 'requested' as const },
    { ...one, name: 'X' },
    { ...one, startsAt: one.startsAt.add({ milliseconds: 1 }) },
    { ...one, endsAt: one.endsAt.add({ milliseconds: 1 }) },
  ];
  const saved = await db.transaction().execute((tx) => upsertAvailabilities(tx, AT, acme, rows));
  assert.equal(new Set(saved.map(({ record }) => record.id)).size, rows.length);
  assert.equal(await count(acme), rows.length);
});

test('nobody of another organization can be given a record', async () => {
  const [acme, other] = [await organization(), await organization()];
  const eve = await person(other, 'eve@example.com');
  const row = absence(eve, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z');
  await assert.rejects(insertAvailability(db, AT, acme, row), /foreign key/);
  await insertAvailability(db, AT, other, row);
  await assert.rejects(insertAvailability(db, AT, acme, row), /neither be saved nor found/);
  assert.equal(await count(acme), 0);
});

test('removes everything except the kept records, in one organization', async () => {
  const [acme, other] = [await organization(), await organization()];
  const [ada, eve] = [await person(acme, 'ada@example.com'), await person(other, 'eve@example.com')];
  const kept = await insertAvailability(
    db,
    AT,
    acme,
    absence(ada, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'),
  );
  const gone = await insertAvailability(
    db,
    AT,
    acme,
    absence(ada, '2026-03-03T00:00:00Z', '2026-03-04T00:00:00Z'),
  );
  await insertAvailability(db, AT, other, absence(eve, '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z'));
  assert.deepEqual(
    (await removeAllBut(db, acme, [kept.id])).map(({ id, endsAt }) => [id, endsAt.toString()]),
    [[gone.id, '2026-03-04T00:00:00Z']],
  );
  assert.equal(await count(acme), 1);
  assert.equal(await count(other), 1);
});
