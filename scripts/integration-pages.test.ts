import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { INTEGRATIONS } from '../src/moments/integrations/registry.ts';

const textOf = (type: string) =>
  readFileSync(new URL(`../docs/integrations/${type}.md`, import.meta.url), 'utf8');

for (const type of INTEGRATIONS)
  test(`the page of ${type} describes what is lost while Tocsin is away, and the overview leads to it`, () => {
    assert.match(textOf(type), /^## While Tocsin cannot be reached\n\n\S/m);
    assert.ok(textOf('README').includes(`[${type}](${type}.md)`));
  });

test('the pages show how to record and how to page', () => {
  for (const page of ['README', 'custom'])
    for (const kind of ['webhook', 'source'])
      assert.match(
        textOf(page),
        new RegExp(`^tocsin ${kind} create --team sre --name \\S.* --type \\w+$`, 'm'),
      );
});

for (const type of INTEGRATIONS.filter((one) => one !== 'custom'))
  test(`the page of ${type} has the sections of the others, and the first step that the dashboard replaces`, () => {
    const text = textOf(type);
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
    const [setUp, tryIt = '', arrives, lost, ...others] = sections;
    assert.deepEqual([setUp, arrives, lost], ['Set it up', 'What arrives', 'While Tocsin cannot be reached']);
    assert.match(tryIt, /^Try it without \S/);
    assert.deepEqual(others, []);
    assert.ok(text.includes(`\n1. [Create a webhook or a source](README.md) of the type \`${type}\`.\n`));
  });
