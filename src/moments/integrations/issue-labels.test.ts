import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { scopedWord, severityOfLabels } from './issue-labels.ts';

describe('the labels of an issue', () => {
  it('have a word after their scope', () => {
    assert.deepEqual(scopedWord('priority::1'), { scope: 'priority', word: '1' });
    assert.deepEqual(scopedWord('Type: Incident'), { scope: 'type', word: 'Incident' });
    assert.deepEqual(scopedWord('kind/bug'), { scope: 'kind', word: 'bug' });
    assert.deepEqual(scopedWord('[System] Incident'), { scope: null, word: 'Incident' });
    assert.deepEqual(scopedWord(' outage '), { scope: null, word: 'outage' });
    assert.deepEqual(scopedWord('odd:'), { scope: null, word: 'odd:' });
  });

  it('give the worst severity', () => {
    const priority = (...labels: string[]) => severityOfLabels(labels)?.priority ?? null;
    assert.equal(priority('bug', 'SEV-1'), 'high');
    assert.equal(priority('sev:2'), 'high');
    assert.equal(priority('severity::3'), 'medium');
    assert.equal(priority('priority: low'), 'low');
    assert.equal(priority('priority/critical'), 'high');
    assert.equal(priority('p4', 'p1', 'p3'), 'high');
    assert.equal(severityOfLabels(['p4', 'P2'])?.word, 'P2');
  });

  it('do not give a severity by words with other meanings', () => {
    for (const label of [
      'error',
      'info',
      'high',
      'good first issue',
      'area: page',
      'p6',
      'severity::unknown',
      '',
    ])
      assert.equal(severityOfLabels([label]), null, label);
  });
});
