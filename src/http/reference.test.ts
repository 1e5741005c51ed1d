import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { inlineHash } from '../kit/plain-page.ts';
import { createReference } from './reference.ts';

test('all requests get the reference that was built for the first one', async () => {
  const reference = createReference();
  const [first, second] = await Promise.all([reference(), reference()]);
  assert.equal(first, second);
  assert.equal(await reference(), first);
  assert.match(first.page, /src="js\/scalar\.js"/);
  assert.ok(first.script.length > 100_000);
});

test('its policy allows only what the page itself runs', async () => {
  const { page, policy } = await createReference()();
  const inline = [...page.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(([, text = '']) => text);
  assert.ok(inline.length > 0);
  assert.match(policy, /^default-src 'none'; script-src 'self' 'sha256-/);
  for (const text of inline) assert.ok(policy.includes(inlineHash(text)), text);
  assert.doesNotMatch(policy, /script-src[^;]*unsafe/);
  assert.doesNotMatch(policy, /https?:/);
  // The page disables everything that its vendor would load or report to itself.
  assert.match(page, /"withDefaultFonts":\s*false/);
  assert.match(page, /"telemetry":\s*false/);
});

test('after a failed build, the next request builds it again', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-reference-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'program.mjs');
  const reference = createReference(program);
  await assert.rejects(reference(), /program\.mjs/, 'an upgrade that is just replacing it');
  writeFileSync(program, '');
  await assert.rejects(reference(), /was not written/);
  writeFileSync(program, "process.stdout.write('<p>\\0x')");
  const { page, script } = await reference();
  assert.deepEqual([page, script.toString()], ['<p>', 'x']);
});
