import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, eventsOf, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { checkly } from './checkly.ts';

adapterContract('checkly', checkly);

const { sample, body } = samplesIn('checkly', checkly);

describe('a Checkly alert', () => {
  it('begins', () => {
    const event = sample('failure');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Login page has failed');
    assert.equal(event.priority, 'high');
    assert.deepEqual(event.labels, ['shop', 'prod']);
    assert.equal(event.source, 'Checkly');
    assert.equal(event.sourceUrl, 'https://app.checklyhq.com/checks/6c1a4f0e/results/11f0aa7e');
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00.412Z');
    assert.match(event.description ?? '', /^```\nTimeoutError: waiting for selector `#login` failed/);
    assert.match(event.description ?? '', /\*\*From:\*\* Frankfurt/);
  });

  it('ends under the same key', () => {
    assert.equal(sample('recovery').action, 'resolve');
    assert.equal(sample('recovery').dedupKey, sample('failure').dedupKey);
    assert.ok(Temporal.Instant.compare(sample('failure').at, sample('recovery').at) < 0);
  });

  it('that is only identified by its title ends under the same key', () => {
    const titles = ['Login page has failed', 'Login page has recovered'];
    const [failed, recovered] = titles.flatMap((title) => eventsOf(checkly, JSON.stringify({ title })));
    assert.deepEqual([failed?.action, recovered?.action], ['open', 'resolve']);
    assert.equal(failed?.dedupKey, recovered?.dedupKey);
  });

  it('that was retried after its end is older than the end', () => {
    const at = (name: string, timestamp: string) =>
      sample(name, {}, { headers: { 'x-checkly-timestamp': timestamp } }).at;
    assert.equal(String(at('failure', '1795150870000')), '2026-11-20T05:01:10Z');
    assert.ok(Temporal.Instant.compare(at('failure', '1795150870000'), at('recovery', '1795151470000')) < 0);
  });

  for (const [type, action, priority] of [
    ['ALERT_FAILURE', 'open', 'high'],
    ['ALERT_FAILURE_REMAIN', 'open', 'high'],
    ['ALERT_DEGRADED_FAILURE', 'open', 'high'],
    ['ALERT_DEGRADED', 'open', 'medium'],
    ['ALERT_DEGRADED_REMAIN', 'open', 'medium'],
    ['ALERT_FAILURE_DEGRADED', 'open', 'medium'],
    ['ALERT_RECOVERY', 'resolve', 'medium'],
    ['ALERT_DEGRADED_RECOVERY', 'resolve', 'medium'],
  ])
    it(`of type ${type} is ${action} and ${priority}`, () => {
      const event = sample('failure', { alert_type: type });
      assert.deepEqual([event.action, event.priority], [action, priority]);
    });

  it('about a certificate is separate from the alerts of its check', () => {
    const event = sample('ssl');
    assert.equal(event.name, 'The SSL certificate for shop.example.com will expire in 14 days');
    assert.equal(event.priority, 'low');
    assert.equal(event.dedupKey, 'certificate shop.example.com');
  });

  it('undoes the HTML escaping of the template', () => {
    assert.equal(sample('degraded').name, 'R&D wiki is degraded');
    assert.deepEqual(sample('degraded').labels, ['wiki', 'internal']);
  });

  it('is read from its sentence if the payload has nothing else', () => {
    const event = sample('short');
    assert.deepEqual([event.action, event.name], ['open', 'Check "Search API" has failed']);
    assert.equal(sample('short', { message: 'Check "Search API" has recovered' }).action, 'resolve');
    const typed = sample('short', { message: 'Check "Search API" has failed is ALERT_FAILURE' });
    assert.deepEqual([typed.name, typed.dedupKey], [event.name, event.dedupKey]);
    const nothing = readBody(checkly, '{"message": "Hello"}');
    assert.match('error' in nothing ? nothing.error : '', /no "alert_type" that we know/);
  });

  it('survives an error message that the template did not escape', () => {
    const broken = body('failure').replaceAll('\\n', '\n');
    assert.throws(() => JSON.parse(broken));
    assert.equal(eventsOf(checkly, broken)[0]?.name, 'Login page has failed');
  });
});

describe('the signature of Checkly', () => {
  const secret = 'correct horse battery';
  const mac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
  const raw = '{ "alert_type": "ALERT_FAILURE",\n "check_name": "x" }';

  function verified(signature: string | undefined, text = raw): boolean | undefined {
    const headers: Record<string, string> =
      signature === undefined ? {} : { 'x-checkly-signature': signature };
    return checkly.verify?.({ headers, body: Buffer.from(text), secret, now: RECEIVED_AT });
  }

  it('is valid over the bytes, or over the same JSON without blanks', () => {
    assert.equal(verified(mac(raw)), true);
    assert.equal(verified(mac(JSON.stringify(JSON.parse(raw)))), true);
  });

  it('is invalid otherwise', () => {
    assert.equal(verified(mac(`${raw} `)), false);
    assert.equal(verified(mac('other')), false);
    assert.equal(verified(mac(raw).slice(1)), false);
    assert.equal(verified(mac('not JSON'), 'not  JSON'), false);
    assert.equal(verified(undefined), false);
  });
});
