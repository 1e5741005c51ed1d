/** Texts use the terms of docs/glossary.md, and none of the words that its last section replaces. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const GLOSSARY = 'docs/glossary.md';

/** What is checked. To switch a folder on, add its line. */
const CHECKED = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/**/*.md',
  'examples/*',
  'bench/*.md',
  'faults/*.md',
];

const glossary = readFileSync(`${root}${GLOSSARY}`, 'utf8');
const [terms = '', replaced = ''] = glossary.split('## Words that we do not use');
const BANNED = [...replaced.matchAll(/^\| (`.*`) \|/gm)].flatMap(([, cell]) => quoted(cell));

function quoted(text = ''): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}

/** The lines of a text that use a replaced word, as `line: word`. Code and the targets of links are not prose. */
function found(text: string, words: readonly string[] = BANNED): string[] {
  const prose = text.replaceAll(/`[^`\n]*`|\]\([^)\n]*\)/g, '');
  const one = new RegExp(`(?<![\\w-])(${words.join('|').replaceAll(' ', '\\s+')})\\b`, 'gi');
  return [...prose.matchAll(one)].map(
    ({ 0: word, index }) => `${prose.slice(0, index).split('\n').length}: ${word.replaceAll(/\s+/g, ' ')}`,
  );
}

test('the glossary replaces words, and the search finds them', () => {
  assert.ok(BANNED.length > 10);
  assert.deepEqual(found('Notify Ada.\nThe page climbs\nthe ladder; there is no\nmore to do.'), [
    '2: climbs',
    '3: ladder',
    '3: no more',
  ]);
  assert.deepEqual(found('`ladder` and [this](0063-whoever-leaves.md) in a blather'), []);
});

test('no text uses a word that the glossary replaces', () => {
  const files = CHECKED.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(
    (path) => path !== GLOSSARY,
  );
  assert.ok(files.length > 100);
  const uses = files.flatMap((path) =>
    found(readFileSync(`${root}${path}`, 'utf8')).map((use) => `${path}:${use}`),
  );
  assert.deepEqual(uses, []);
});

test('the glossary names each term once, and files that exist', () => {
  const rows = [...terms.matchAll(/^\| (?!term |---)(.+?) \|.*\| `([^`|]+)` \|$/gm)];
  assert.ok(rows.length > 50);
  assert.equal(new Set(rows.map(([, term]) => term)).size, rows.length);
  for (const [, term, path = ''] of rows) assert.ok(existsSync(`${root}${path}`), `${term}: ${path}`);
});
