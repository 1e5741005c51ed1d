import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, eventsOf, readBody } from './adapter.contract.ts';
import { uptimeKuma } from './uptime-kuma.ts';

adapterContract('uptime-kuma', uptimeKuma);

const { sample, body } = samplesIn('uptime-kuma', uptimeKuma);

describe('a notification of Uptime Kuma', () => {
  it('reports that a monitor is down', () => {
    const event = sample('down');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Shop is down');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.deepEqual(event.labels, ['env', 'env:prod']);
    assert.equal(event.source, 'Uptime Kuma');
    assert.equal(event.sourceUrl, 'https://shop.example.com/health');
    assert.equal(String(event.occurredAt), '2026-11-20T05:01:00.412Z', 'its times are UTC');
    assert.match(event.description ?? '', /^Request failed with status code 502\n/);
  });

  it('reports that it is up again', () => {
    const [down, up] = [sample('down'), sample('up')];
    assert.equal(up.action, 'resolve');
    assert.equal(up.dedupKey, down.dedupKey);
    assert.ok(Temporal.Instant.compare(down.at, up.at) < 0);
  });

  it('may come as a form', () => {
    const form = `--x1\r\nContent-Disposition: form-data; name="data"\r\n\r\n${body('down')}\r\n--x1--\r\n`;
    assert.equal(eventsOf(uptimeKuma, form)[0]?.name, 'Shop is down');
  });

  it('about a monitor without a URL shows host and port, and the priority of its tag', () => {
    const event = sample('port-with-severity');
    assert.equal(event.sourceUrl, null);
    assert.match(event.description ?? '', /\*\*Host:\*\* mx\.example\.com:25/);
    assert.equal(event.priority, 'low');
    assert.equal(event.severity, 'low');
  });

  it('about a certificate stays one moment as the days pass', () => {
    const event = sample('certificate');
    assert.equal(event.name, 'server certificate shop.example.com will expire in 14 days');
    assert.equal(event.priority, 'low');
    assert.equal(event.sourceUrl, 'https://shop.example.com/health');
    const msg = (days: string) =>
      `[Shop][https://shop.example.com/health] server certificate x will expire in ${days}`;
    const key = (days: string) => sample('certificate', { msg: msg(days) }).dedupKey;
    assert.equal(key('14 days'), key('7 days'));
    assert.notEqual(key('14 days'), event.dedupKey);
  });

  it('without a heartbeat or with an unknown status names what was expected', () => {
    const error = (text: string) => {
      const result = readBody(uptimeKuma, text);
      return 'error' in result ? result.error : '';
    };
    assert.match(error('{"msg": "hello"}'), /no "heartbeat"/);
    assert.match(error('{"heartbeat": {}}'), /has no "status"/);
    assert.match(error('{"heartbeat": {"status": 9}}'), /status is "9"; 0 \(down\)/);
    assert.match(error('{"heartbeat": {"status": 0}}'), /names the monitor/);
  });
});
