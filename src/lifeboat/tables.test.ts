import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { COPIED_TABLES, LANDED_TABLES, LEFT_TABLES } from './tables.ts';

const schema = readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8');
const definitions = new Map(
  [...schema.matchAll(/^create table (\w+) \(\n(.*?)^\);/gms)].map(([, name = '', text = '']) => [
    name,
    text,
  ]),
);
const copied = COPIED_TABLES.map(({ name }) => name);

it('lists for every table whether a lifeboat copies it, lands it, or leaves it, and why', () => {
  const named = new Set([...copied, ...LANDED_TABLES, ...Object.values(LEFT_TABLES).flat()]);
  const known = new Set([...definitions.keys(), 'migrations']);
  assert.deepEqual([...known.difference(named)], [], 'add new tables to src/lifeboat/tables.ts');
  assert.deepEqual([...named.difference(known)], []);
  const left = Object.values(LEFT_TABLES).flat();
  assert.equal(new Set(left).size, left.length);
  for (const name of left)
    assert.ok(!copied.includes(name) && !LANDED_TABLES.some((one) => one === name), name);
});

it('copies tables after those that they refer to, without references to other tables', () => {
  for (const [index, { name, without = [] }] of COPIED_TABLES.entries()) {
    const text = definitions.get(name) ?? '';
    for (const [, columns = '', other = ''] of text.matchAll(/FOREIGN KEY \(([^)]+)\) REFERENCES (\w+)/g)) {
      const nulls = columns.split(', ').some((column) => without.includes(column));
      assert.ok(nulls || copied.slice(0, index).includes(other), `${name} (${columns}) refers to ${other}`);
    }
    for (const column of without)
      assert.match(text, new RegExp(`^  ${column} \\w+,$`, 'm'), `${name}.${column}`);
  }
});
