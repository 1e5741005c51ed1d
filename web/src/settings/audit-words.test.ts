import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AUDIT_ACTIONS } from '../../../src/people/audit-contract.ts';
import type { AuditLine } from '../../../src/people/organization-api-contract.ts';
import { auditWords, moments } from './audit-words.ts';

const ada = { id: 'ada', name: 'Ada', email: 'ada@example.com' };
const line = (id: number, more: Partial<AuditLine> = {}): AuditLine => ({
  ...{ id, at: `2026-03-02T10:00:00.${id}00Z`, by: ada, action: 'team.create', subject: `${id}`, data: {} },
  ...more,
});

describe('the audit log in words', () => {
  it('describes each action and its object', () => {
    assert.equal(auditWords(line(1, { data: { name: 'Payments' } })), 'created the team “Payments”');
    assert.equal(
      auditWords({ action: 'invitation.create', data: { email: 'b@example.com' } }),
      'invited b@example.com',
    );
    assert.equal(
      auditWords({ action: 'apply.schedule.remove', data: { name: 'Nights' } }),
      'removed the schedule “Nights”',
    );
    for (const action of AUDIT_ACTIONS) assert.ok(auditWords({ action, data: {} }), action);
    assert.equal(auditWords({ action: 'something.new', data: {} }), null);
  });

  it("groups one person's actions within one second", () => {
    const others = [line(3, { action: 'team.delete' }), line(4, { by: null, action: 'team.delete' })];
    const later = line(5, { by: null, action: 'team.delete', at: '2026-03-02T10:00:01.000Z' });
    assert.deepEqual(
      moments([line(1), line(2), ...others, later]).map((group) => group.map(({ id }) => id)),
      [[1, 2], [3], [4], [5]],
    );
  });
});
