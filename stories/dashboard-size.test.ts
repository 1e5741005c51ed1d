import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const BUILT = new URL('../web/dist/', import.meta.url).pathname;
const FIRST_LOAD_KIB = 190;
/** A browser opens six connections to a server. */
const FIRST_LOAD_FILES = 6;

/** The files of the build that the document refers to, and everything that they import before anything is shown. */
function firstLoad(): string[] {
  const document = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const found = new Set(document.match(/assets\/[\w.-]+\.js/g) ?? []);
  for (const file of found)
    for (const [, name] of readFileSync(join(BUILT, file), 'utf8').matchAll(
      /(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g,
    ))
      found.add(`assets/${name}`);
  return [...found];
}

function kibibytes(file: string): number {
  const compressed = `${join(BUILT, file)}.br`;
  return statSync(existsSync(compressed) ? compressed : join(BUILT, file)).size / 1_024;
}

describe('the first load of the dashboard', () => {
  const files = firstLoad();

  it(`is at most ${FIRST_LOAD_KIB} KiB of compressed script in ${FIRST_LOAD_FILES} files`, (t) => {
    assert.ok(files.length > 0);
    const whole = files.reduce((sum, file) => sum + kibibytes(file), 0);
    t.diagnostic(`${whole.toFixed(0)} KiB in ${files.length} files`);
    assert.ok(files.length <= FIRST_LOAD_FILES, files.join(', '));
    assert.ok(whole <= FIRST_LOAD_KIB, `${whole.toFixed(0)} KiB in ${files.join(', ')}`);
  });

  it('has the paths of our endpoints, but no schemas', () => {
    const scripts = readdirSync(join(BUILT, 'assets'))
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(BUILT, 'assets', name), 'utf8'));
    assert.ok(scripts.some((text) => text.includes('GET /api/keys')));
    assert.deepEqual(
      scripts.filter((text) => text.includes('Mark notices as read')),
      [],
    );
  });

  it('leaves code for single views to those views', () => {
    const views = readdirSync(new URL('../web/src/', import.meta.url), { recursive: true })
      .map(String)
      .filter((path) => path.endsWith('-view.tsx') && !path.endsWith('now-view.tsx'))
      .map((path) => path.split('/').at(-1)?.replace('.tsx', '') ?? '');
    const built = readdirSync(join(BUILT, 'assets'));
    const lazy = views.filter((view) => built.some((file) => file.startsWith(`${view}-`)));
    assert.ok(lazy.length > 20, lazy.join(', '));
    assert.deepEqual(
      lazy.filter((view) => files.some((file) => file.startsWith(`assets/${view}-`))),
      [],
    );
  });
});
