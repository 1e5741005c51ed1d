import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { INTEGRATIONS } from '../src/moments/integrations/registry.ts';

for (const type of INTEGRATIONS)
  test(`the page of ${type} describes how to record, how to page, and what is lost while Tocsin is away`, () => {
    const text = readFileSync(new URL(`../docs/integrations/${type}.md`, import.meta.url), 'utf8');
    for (const kind of ['webhook', 'source'])
      assert.match(text, new RegExp(`^ *tocsin ${kind} create --team sre --name \\S.* --type ${type}$`, 'm'));
    assert.ok(text.includes(type === 'custom' ? '/page/<token>`' : `/page/<token>/${type}`));
    assert.match(text, /^## While Tocsin cannot be reached\n\n\S/m);
  });
