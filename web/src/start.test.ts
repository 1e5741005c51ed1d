import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parseSync } from 'oxc-parser';

type Node = { type?: string; await?: boolean };

/** Whether code waits while its module is evaluated, that is, outside of its functions. */
function waits(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { type = '', await: isAwait } = node as Node;
  if (/Function|^MethodDefinition$/.test(type)) return false;
  if (type === 'AwaitExpression' || (type === 'ForOfStatement' && isAwait)) return true;
  return Object.values(node).some(waits);
}

const waitsAtTop = (code: string) => waits(parseSync('code.tsx', code).program.body);

describe('the start of the dashboard', () => {
  // Files of views import these, so a view that they wait for would wait for them: it appeared half a second late.
  for (const file of ['start.ts', 'main.tsx', 'router.tsx'])
    it(`does not wait at the top of ${file}`, () => {
      assert.equal(waitsAtTop(readFileSync(new URL(file, import.meta.url), 'utf8')), false);
    });

  it('would find a wait', () => {
    assert.equal(waitsAtTop('const a = () => { f(); }; const b = <a>{await load()}</a>;'), true);
    assert.equal(waitsAtTop('for await (const one of all) show(one);'), true);
    assert.equal(waitsAtTop('void (async () => { await load(); })();'), false);
  });
});
