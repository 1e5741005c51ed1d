import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { INTEGRATIONS } from '../src/moments/integrations/registry.ts';

const textOf = (type: string) =>
  readFileSync(new URL(`../docs/integrations/${type}.md`, import.meta.url), 'utf8');

for (const type of INTEGRATIONS)
  test(`the page of ${type} describes how to record, how to page, and what is lost while Tocsin is away`, () => {
    const text = textOf(type);
    for (const kind of ['webhook', 'source'])
      assert.match(text, new RegExp(`^ *tocsin ${kind} create --team sre --name \\S.* --type ${type}$`, 'm'));
    assert.match(text, /^## While Tocsin cannot be reached\n\n\S/m);
  });

for (const type of INTEGRATIONS.filter((one) => one !== 'custom'))
  test(`the page of ${type} has the sections of the others, and the first step that the dashboard replaces`, () => {
    const text = textOf(type);
    const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
    const [setUp, tryIt = '', arrives, lost, ...others] = sections;
    assert.deepEqual([setUp, arrives, lost], ['Set it up', 'What arrives', 'While Tocsin cannot be reached']);
    assert.match(tryIt, /^Try it without \S/);
    assert.deepEqual(others, []);
    assert.match(
      text,
      /^1\. Create a webhook .*:\n\n {3}```\n {3}tocsin webhook .*\n {3}tocsin source .*\n {3}```$/m,
    );
  });
