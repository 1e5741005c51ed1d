import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

const root = new URL('../', import.meta.url);

it('docs/security.md names files that exist, and a test or a reason on every line', () => {
  const page = readFileSync(new URL('docs/security.md', root), 'utf8');
  const lines = page.split('\n').filter((line) => /^\| (?!Requirement )[A-Z0-9]/.test(line));
  assert.ok(lines.length > 50, `${lines.length} lines`);
  for (const line of lines) {
    const shown = line.split('|')[2] ?? '';
    assert.match(shown, /`[\w/.-]+\.test\.ts`|does not (apply|happen)/, line);
    for (const [, path = ''] of shown.matchAll(/`([\w/.-]+\.ts)`/g))
      assert.ok(existsSync(new URL(path, root)), `${path} is not there`);
  }
});
