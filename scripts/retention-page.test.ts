/** docs/retention.md says for every table what removes its rows, and the code agrees. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig, SETTING_NAMES } from '../src/config.ts';
import { type DutyServices, everyDuty } from '../src/worker/every-duty.ts';

const root = new URL('../', import.meta.url);
const schema = readFileSync(new URL('schema.sql', root), 'utf8');
const page = readFileSync(new URL('docs/retention.md', root), 'utf8');

const GOES = table('Goes when its time has come');
const GOES_WITH = table('Goes with something else');
const STAYS = table('Stays until somebody removes it');

function table(section: string): string[][] {
  const [, body = ''] = page.split(`\n## ${section}\n`);
  return (body.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim().replace(/^`([^`]*)`$/, '$1')))
    .map(([, ...cells]) => cells);
}

type Reference = { from: string; columns: string[]; to: string; onDelete: string };

const references: Reference[] = [];
/** The first columns of each index of a table. */
const leading = new Map<string, Set<string>>();
const tables = [...schema.matchAll(/^create table (\w+) \(([\s\S]*?)^\);/gm)].map(
  ([, name = '', body = '']) => {
    for (const [, columns = '', to = '', onDelete = ''] of body.matchAll(
      /FOREIGN KEY \(([^)]+)\) REFERENCES (\w+)\([^)]+\)(?: ON DELETE (CASCADE|SET NULL))?/g,
    ))
      references.push({ from: name, columns: columns.split(', '), to, onDelete });
    const keys = [...body.matchAll(/(?:PRIMARY KEY|UNIQUE(?: NULLS NOT DISTINCT)?) \((\w+)/g)];
    const indexes = [...schema.matchAll(new RegExp(`ON public\\.${name} USING btree \\((\\w+)`, 'g'))];
    leading.set(name, new Set([...keys, ...indexes].map(([, column = '']) => column)));
    return name;
  },
);

test('every table is on the page, once', () => {
  assert.ok(tables.length > 50);
  const told = [...GOES, ...GOES_WITH, ...STAYS].map(([name]) => name);
  assert.deepEqual([...told].sort(), [...tables].sort());
});

test('every duty that deletes something is on it, and every duty that it names exists', () => {
  const services = { config: readConfig({}) } as DutyServices;
  const duties = everyDuty(services).map(({ name }) => name);
  const told = new Set(GOES.map(([, , duty]) => duty ?? ''));
  assert.deepEqual(
    [...told].filter((name) => !duties.includes(name)),
    [],
  );
  assert.deepEqual(
    duties.filter((name) => name.startsWith('forget') && !told.has(name)),
    [],
  );
});

test('every retention setting is on it, and every setting that it names exists', () => {
  const told = new Set(GOES.flatMap(([, how = '']) => how.match(/[A-Z]+_[A-Z_]+/g) ?? []));
  const settings = SETTING_NAMES.filter((name) => name.endsWith('RETENTION_DAYS'));
  assert.deepEqual([...told].sort(), [...settings].sort());
});

test('the database removes the rows that go with something else', () => {
  for (const [name = '', whole = ''] of GOES_WITH)
    assert.ok(
      references.some(({ from, to, onDelete }) => from === name && to === whole && onDelete === 'CASCADE'),
      `${name} has no foreign key to ${whole} that cascades`,
    );
});

/** Without an index, each deleted row would cost a scan of all rows that might refer to it. */
test('every reference to rows that are removed has an index', () => {
  const going = new Set([...GOES, ...GOES_WITH].map(([name]) => name));
  const slow = references
    .filter(({ to }) => going.has(to))
    .filter(
      ({ from, columns }) =>
        !columns.some((column) => column !== 'organization_id' && leading.get(from)?.has(column)),
    )
    .map(({ from, columns, to }) => `${from} (${columns}) → ${to}`);
  assert.deepEqual(slow, []);
});
