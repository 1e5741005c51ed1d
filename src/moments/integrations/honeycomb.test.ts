import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { honeycomb } from './honeycomb.ts';

adapterContract('honeycomb', honeycomb);

const { sample, body } = samplesIn('honeycomb', honeycomb);

describe('a Honeycomb notification', () => {
  it('begins an alert', () => {
    const event = sample('triggered');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Checkout answers slowly');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.source, 'Honeycomb');
    assert.equal(event.sourceUrl, 'https://ui.eu1.honeycomb.io/acme/environments/prod/result/aB3');
    assert.ok(event.at.equals(RECEIVED_AT), 'the body has no time');
    assert.match(event.description ?? '', /^Currently greater than threshold/);
    assert.match(event.description ?? '', /- `service=checkout` `4120`/);
    assert.doesNotMatch(event.description ?? '', /search/, 'what did not trigger is left out');
    assert.match(event.description ?? '', /\*\*Threshold:\*\* greater than 2000/);
  });

  it('ends what it began', () => {
    assert.equal(sample('ok').action, 'resolve');
    assert.equal(sample('ok').dedupKey, sample('triggered').dedupKey);
  });

  it('may be about a budget, and name a severity', () => {
    const event = sample('burn-alert');
    assert.equal(event.priority, 'medium');
    assert.equal(event.severity, 'warning');
    assert.equal(event.sourceUrl, 'https://ui.eu1.honeycomb.io/acme/environments/prod/slo/x');
    assert.deepEqual(event.labels, ['shop']);
  });

  it('of an older version is identified by its name', () => {
    assert.equal(sample('older').dedupKey, 'name Errors of search');
    assert.equal(sample('older', { status: 'OK' }).dedupKey, 'name Errors of search');
    assert.doesNotMatch(sample('older').description ?? '', /battery/, 'the secret is not shown');
  });

  it('lists the first of very many groups', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({
      Group: { pod: `p-${index}` },
      Result: index,
    }));
    const { description } = sample('triggered', { result_groups_triggered: many });
    assert.match(description ?? '', /- and 4980 more/);
  });

  it('with an unknown status names the expected ones', () => {
    const result = readBody(honeycomb, '{"name": "x", "status": "odd"}');
    assert.deepEqual(result, { error: 'the status is "odd"; "TRIGGERED" or "OK" is expected.' });
  });

  it('needs more than a name and a status, because many tools send those', () => {
    const result = readBody(honeycomb, '{"name": "x", "status": "ok"}');
    assert.match('error' in result ? result.error : '', /nothing else of Honeycomb's/);
  });

  it('has its delivery id in a header', () => {
    const headers = { 'x-honeycomb-webhook-delivery-id': 'd-1' };
    assert.equal(honeycomb.senderCallId?.({ headers, body: Buffer.from('{}') }), 'd-1');
  });
});

describe('the secret of Honeycomb', () => {
  const secret = 'correct horse battery';

  function verified(headers: Record<string, string>, text: string): boolean | undefined {
    return honeycomb.verify?.({ headers, body: Buffer.from(text), secret, now: RECEIVED_AT });
  }

  it('is sent in a header', () => {
    assert.equal(verified({ 'x-honeycomb-webhook-token': secret }, body('triggered')), true);
    assert.equal(verified({ 'x-honeycomb-webhook-token': 'other' }, body('triggered')), false);
    assert.equal(verified({}, body('triggered')), false);
  });

  it('is sent in the body by older versions', () => {
    assert.equal(verified({}, body('older')), true);
    assert.equal(verified({}, body('older', { shared_secret: 'other' })), false);
    assert.equal(verified({ 'x-honeycomb-webhook-token': 'other' }, body('older')), false);
    assert.equal(verified({}, 'not JSON'), false);
  });
});
