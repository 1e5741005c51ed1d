/** docs/states.md agrees with the code and the database. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { followUp, reopened } from '../src/moments/follow-up.ts';
import { advance, isFailure, RECEIPT_STATES } from '../src/notifications/inbound/receipt.ts';
import { PAGE_STATES } from '../src/pages/contract.ts';
import { nextState, PAGE_TRANSITIONS, undoneState } from '../src/pages/transitions.ts';
import { REQUEST_STATUSES } from '../src/requests/contract.ts';
import { REQUEST_TRANSITIONS } from '../src/requests/store.ts';

const root = new URL('../', import.meta.url);
const schema = readFileSync(new URL('schema.sql', root), 'utf8');

type Transition = { from: string; to: string; event: string | null };
type Machine = { column: string; arrows: string[]; transitions: Transition[]; text: string };

const machines = new Map(
  readFileSync(new URL('docs/states.md', root), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n')[0] ?? '', readMachine(section)]),
);

function readMachine(text: string): Machine {
  const [, column = ''] = /^`(\w+\.\w+)`/m.exec(text) ?? [];
  const arrows = [...text.matchAll(/^ {2}(\S+) --> (\S+)$/gm)].map(([, from, to]) => `${from} → ${to}`);
  const [head = '', , ...rows] = text.split('\n').filter((line) => line.startsWith('|'));
  const eventAt = cells(head).indexOf('event');
  const transitions = rows
    .map(cells)
    .flatMap((row) =>
      named(row[0]).flatMap((from) =>
        named(row[1]).map((to) => ({ from, to, event: eventAt < 0 ? null : (row[eventAt] ?? null) })),
      ),
    );
  return { column, arrows, transitions, text };
}

function cells(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function named(cell = ''): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

function machine(name: string): Machine {
  return machines.get(name) ?? assert.fail(`docs/states.md has no section ${name}`);
}

function statesOf({ transitions }: Machine): string[] {
  const all = transitions.flatMap(({ from, to }) => [from, to]);
  return [...new Set(all)].filter((state) => state !== '[*]').sort();
}

/** The values that the constraint of a column lists. */
function allowedBy(column: string): string[] {
  const [table, name] = column.split('.');
  const [, body = ''] = new RegExp(`^create table ${table} \\(([\\s\\S]*?)^\\);`, 'm').exec(schema) ?? [];
  const [, list = ''] =
    new RegExp(`\\(${name} = ANY \\(ARRAY\\[([^\\]]+)\\]\\)\\)\\)$`, 'm').exec(
      body.replaceAll(',\n', '\n'),
    ) ?? [];
  return [...list.matchAll(/'([^']+)'/g)].map(([, value = '']) => value).sort();
}

/** Machines with so many transitions that a drawing helps to read their tables. */
const DRAWN = ['Page', 'Delivery'];

for (const [name, { column, arrows, transitions, text }] of machines) {
  test(`${name}: it has transitions, and its drawing, if there is one, matches the table`, () => {
    const inTable = new Set(transitions.map(({ from, to }) => `${from} → ${to}`));
    assert.ok(inTable.size > 0);
    assert.deepEqual([...arrows].sort(), DRAWN.includes(name) ? [...inTable].sort() : []);
  });

  test(`${name}: the files and functions that it names exist`, () => {
    const files = [...text.matchAll(/(?:`(\w+)` in )?`(src\/[\w/.-]+)`/g)];
    assert.ok(files.length > 0);
    for (const [, called, path = ''] of files) {
      assert.ok(existsSync(new URL(path, root)), path);
      if (called === undefined) continue;
      const source = readFileSync(new URL(path, root), 'utf8');
      assert.match(source, new RegExp(`function ${called}\\b`), path);
    }
  });

  // Receipts contain the providers' own words, so the database accepts any.
  if (name === 'Receipt') continue;
  test(`${name}: its states are those that the database allows`, () => {
    assert.deepEqual(statesOf(machine(name)), allowedBy(column));
  });
}

test('every state column in the database has a machine', () => {
  const described = [...machines.values()].map(({ column }) => column);
  for (const [, table = '', body = ''] of schema.matchAll(/^create table (\w+) \(([\s\S]*?)^\);/gm))
    for (const [, column = ''] of body.matchAll(/^ {2}(state|status) text not null/gm))
      assert.ok(described.includes(`${table}.${column}`), `${table}.${column} is not in docs/states.md`);
});

test('pages follow src/pages/transitions.ts', () => {
  const inCode = PAGE_STATES.flatMap((from) => [
    ...PAGE_TRANSITIONS.map((event) => ({ from, to: nextState(from, event), event })),
    ...PAGE_STATES.map((before) => ({ from, to: undoneState(from, before), event: 'undo' })),
  ]).filter(({ to }) => to !== null);
  const inTable = machine('Page').transitions.filter(({ from }) => from !== '[*]');
  assert.deepEqual(sorted(inTable), sorted(inCode));
  assert.deepEqual(statesOf(machine('Page')), [...PAGE_STATES].sort());
});

test('requests follow src/requests/store.ts', () => {
  const inCode = REQUEST_STATUSES.flatMap((from) =>
    REQUEST_TRANSITIONS[from].map((to) => ({ from, to, event: null })),
  );
  const inTable = machine('Request').transitions.filter(({ from }) => from !== '[*]');
  assert.deepEqual(sorted(inTable), sorted(inCode));
  assert.deepEqual(statesOf(machine('Request')), [...REQUEST_STATUSES].sort());
});

test('receipts follow src/notifications/inbound/receipt.ts', () => {
  const inCode = [null, ...RECEIPT_STATES].flatMap((from) =>
    RECEIPT_STATES.filter((to) => from !== to && advance(from, to) === to).map((to) => ({
      from: from ?? '[*]',
      to,
      event: null,
    })),
  );
  assert.deepEqual(sorted(machine('Receipt').transitions), sorted(inCode));
  for (const from of RECEIPT_STATES.filter(isFailure))
    for (const to of RECEIPT_STATES) assert.equal(advance(from, to), from);
});

test('moments follow src/moments/follow-up.ts', () => {
  const now = Temporal.Instant.from('2026-11-20T09:00:00Z');
  const states = [null, 'open', 'acknowledged', 'resolved'] as const;
  const after = {
    acknowledge: 'acknowledged',
    unacknowledge: 'open',
    resolve: 'resolved',
  } as const;
  const inCode = states.flatMap((state) =>
    (['open', 'acknowledge', 'unacknowledge', 'resolve'] as const).flatMap((event) =>
      [null, 'organization_user_1'].flatMap((acknowledgedBy) =>
        (['medium', 'high'] as const).flatMap((priority) => {
          const known = state && { state, priority: 'medium' as const, lastEventAt: now, acknowledgedBy };
          const next = followUp(known, { action: event, at: now, priority, opens: true });
          if (next.change === 'none') return [];
          // After a resolution, a new firing is a new moment; the old one stays as it is.
          const from = next.change === 'create' ? '[*]' : (state ?? '[*]');
          const begun = event === 'acknowledge' ? 'acknowledged' : 'open';
          const to = { ...after, create: begun, update: from }[next.change];
          return [{ from, to, event }];
        }),
      ),
    ),
  );
  const byPeople = [null, now].map((acknowledgedAt) => ({
    from: 'resolved',
    to: reopened({ acknowledgedAt, lastEventAt: now, resolvedBy: null }, null).state,
    event: 'reopen',
  }));
  assert.deepEqual(sorted(machine('Moment').transitions), sorted([...inCode, ...byPeople]));
});

function sorted(transitions: readonly { from: string; to: string | null; event: string | null }[]): string[] {
  return [...new Set(transitions.map(({ from, to, event }) => `${from} –${event ?? ''}→ ${to}`))].sort();
}
