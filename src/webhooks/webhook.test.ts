import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { momentPath, webhookUrl } from './contract.ts';
import { sentHeaders, storedHeaders } from './headers.ts';
import { type WebhookDefinition, webhookProblems } from './webhook.ts';

const NOW = Temporal.Instant.from('2026-11-20T06:00:00Z');
const definition: WebhookDefinition = {
  ...{ organizationId: 'organization_1', teamId: 'team_1', name: 'Alerts', type: 'custom' },
  ...{ expiresAt: null, signingSecret: null, createdBy: null },
};

describe('a webhook', () => {
  it('has its type in its URL unless it is custom', () => {
    assert.equal(momentPath('t0ken', 'custom'), '/moment/t0ken');
    assert.equal(
      webhookUrl('https://on.example.com/', 't0ken', 'alertmanager'),
      'https://on.example.com/moment/t0ken/alertmanager',
    );
  });

  it('is fine with a label and a known type', () => {
    assert.deepEqual(webhookProblems(definition, NOW), []);
    const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const more = { expiresAt: NOW.add({ seconds: 1 }), signingSecret: secret };
    assert.deepEqual(webhookProblems({ ...definition, ...more }, NOW), []);
  });

  it('is refused with everything that is wrong', () => {
    const wrong = { ...definition, name: ' ', type: 'pigeon', expiresAt: NOW, signingSecret: 'hush' };
    const problems = webhookProblems(wrong, NOW);
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['name', 'type', 'expires_at'],
    );
    assert.match(problems[1]?.message ?? '', /"pigeon".*give one of alertmanager, .*custom/);
  });

  it('has a signing secret only where the sender signs, and a whole one', () => {
    const problem = (type: string, signingSecret: string) =>
      webhookProblems({ ...definition, type, signingSecret }, NOW)[0]?.message;
    assert.match(problem('custom', 'hush') ?? '', /whsec_/);
    assert.match(problem('custom', 'whsec_c2hvcnQ=') ?? '', /24 to 64 bytes/);
    assert.match(problem('alertmanager', 'hush') ?? '', /does not sign its calls/);
  });
});

describe('the headers of a call', () => {
  it('are kept without what is secret, signatures included', () => {
    const sent = sentHeaders({
      'User-Agent': 'Alertmanager/0.28',
      'x-hub-signature-256': 'sha256=1',
      'webhook-signature': 'v1,x',
      'x-github-delivery': '7',
      authorization: 'Bearer x',
      'proxy-authorization': 'Basic x',
      cookie: 'a=b',
      'set-cookie': ['a=b', 'c=d'],
      'x-gitlab-token': 'x',
      'x-honeycomb-webhook-token': 'x',
      'x-api-key': 'x',
      'x-apikey': 'x',
      'x-client-secret': 'x',
      'x-forwarded-uri': '/moment/t0ken/custom',
    });
    const kept = storedHeaders(sent, 't0ken');
    assert.deepEqual(Object.keys(kept).sort(), [
      'user-agent',
      'webhook-signature',
      'x-github-delivery',
      'x-hub-signature-256',
    ]);
    assert.equal(sent['x-gitlab-token'], 'x', 'some senders show a secret, and it has to be checked');
    assert.equal(sent['set-cookie'], 'a=b, c=d');
  });
});
