import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { samplesIn } from '../../../testing/moments/samples.ts';
import { adapterContract, eventsOf, RECEIVED_AT, readBody } from './adapter.contract.ts';
import { icinga2 } from './icinga2.ts';
import { nagios } from './nagios.ts';

adapterContract('nagios', nagios);
adapterContract('icinga2', icinga2);

const ofNagios = samplesIn('nagios', nagios);
const ofIcinga = samplesIn('icinga2', icinga2);

describe('a notification of Nagios', () => {
  it('begins the problem of a service', () => {
    const event = ofNagios.sample('service-problem');
    assert.equal(event.action, 'open');
    assert.equal(event.name, 'Disk /var on db-01 is CRITICAL');
    assert.equal(event.type, 'alert');
    assert.equal(event.priority, 'high');
    assert.equal(event.severity, 'CRITICAL');
    assert.deepEqual(event.labels, ['databases', 'linux']);
    assert.equal(event.source, 'Nagios');
    assert.equal(event.sourceUrl, 'https://wiki.example.com/db-01');
    assert.equal(String(event.occurredAt), '2026-11-20T05:00:00Z', 'the last change of state');
    assert.equal(String(event.at), '2026-11-20T05:01:00Z');
    assert.ok(
      event.description?.startsWith('```\nDISK "CRITICAL" & <b> it\'s 97 %\n/var 812 MB\n/tmp 3 GB\n```\n'),
      event.description ?? '',
    );
  });

  it('acknowledges it and ends it under the same key', () => {
    const names = ['service-problem', 'service-acknowledgement', 'service-recovery'];
    const events = names.map((name) => ofNagios.sample(name));
    assert.deepEqual(
      events.map(({ action }) => action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.deepEqual(new Set(events.map(({ dedupKey }) => dedupKey)), new Set(['db-01!Disk /var']));
    const times = events.map(({ at }) => at.epochMilliseconds);
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual([events[1]?.by, events[1]?.comment], ['Ada Lovelace', "I'm on it"]);
    assert.doesNotMatch(events[1]?.description ?? '', /Ada|on it/);
  });

  it('may be about the host itself', () => {
    const event = ofNagios.sample('host-problem');
    assert.equal(event.name, 'db-01 is DOWN');
    assert.equal(event.priority, 'high');
    assert.equal(event.dedupKey, 'db-01');
    assert.equal(ofNagios.sample('host-recovery').action, 'resolve');
  });

  it('has a priority for each state', () => {
    const priority = (state: string) => ofNagios.sample('service-problem', { service_state: state }).priority;
    assert.deepEqual(['CRITICAL', 'WARNING', 'UNKNOWN'].map(priority), ['high', 'medium', 'medium']);
    assert.equal(ofNagios.sample('host-problem', { host_state: 'UNREACHABLE' }).priority, 'high');
  });

  it('may have its macros under their own names', () => {
    const event = ofNagios.sample('other-spelling');
    assert.equal(event.name, 'HTTP on web-02 is WARNING');
    assert.ok(event.at.equals(RECEIVED_AT));
    assert.doesNotMatch(event.description ?? '', /\$|Address/);
  });

  it('may have its macros as Nagios exports them', () => {
    const event = ofNagios.sample('exported-macros');
    assert.deepEqual(
      [event.action, event.name, event.dedupKey, String(event.at)],
      ['open', 'HTTP on web-02 is CRITICAL', 'web-02!HTTP', '2026-11-20T05:01:00Z'],
    );
  });

  it('without a type begins or ends by its state', () => {
    const action = (state: string) =>
      ofNagios.sample('service-problem', { notification_type: '', service_state: state }).action;
    assert.deepEqual(['OK', 'CRITICAL'].map(action), ['resolve', 'open']);
    const foreign = readBody(nagios, '{"hostname": "web-01", "state": 1, "title": "Device down"}');
    assert.match('error' in foreign ? foreign.error : '', /no host or no state/);
  });

  it('without a host names the missing field', () => {
    const result = readBody(nagios, '{"service_state": "OK"}');
    assert.match('error' in result ? result.error : '', /no host or no state; what the script .* Nagios/);
  });
});

describe('a notification of Icinga 2', () => {
  it('begins, is acknowledged and ends', () => {
    const names = ['service-problem', 'service-acknowledgement', 'service-recovery'];
    const events = names.map((name) => ofIcinga.sample(name));
    const [problem] = events;
    assert.equal(problem?.name, 'disk on db-01 is CRITICAL');
    assert.equal(problem?.source, 'Icinga');
    assert.equal(problem?.sourceUrl, 'https://wiki.example.com/disk');
    assert.equal(String(problem?.occurredAt), '2026-11-20T05:00:00.25Z');
    assert.match(problem?.description ?? '', /^```\nDISK CRITICAL .*\n\/tmp 3 GB\n```/);
    assert.deepEqual(
      events.map(({ action }) => action),
      ['open', 'acknowledge', 'resolve'],
    );
    assert.deepEqual(new Set(events.map(({ dedupKey }) => dedupKey)), new Set(['db-01!disk']));
    assert.equal(ofIcinga.sample('host-problem').name, 'db-01 is DOWN');
  });
});

describe('what Icinga Notifications sends', () => {
  it('begins an incident', () => {
    const event = ofIcinga.sample('incident');
    assert.deepEqual(
      [event.action, event.name, event.priority, event.severity, event.dedupKey],
      ['open', 'HTTP on web-01 is CRITICAL', 'high', 'crit', 'incident 4711'],
    );
    assert.equal(event.sourceUrl, 'https://icinga.example.com/icingadb/service?name=HTTP&host.name=web-01');
    assert.equal(String(event.at), '2026-11-20T05:01:00.25Z');
    assert.match(event.description ?? '', /^```\nHTTP CRITICAL: connection refused\n```/);
  });

  it('is about the host if there is no service', () => {
    assert.equal(
      ofIcinga.sample('incident', { 'object.tags.service': undefined }).name,
      'web-01 is CRITICAL',
    );
  });

  it('ends with its incident', () => {
    const action = (changes: Record<string, unknown>) => ofIcinga.sample('incident', changes).action;
    assert.equal(action({ 'incident.severity': 'ok' }), 'resolve');
    assert.equal(action({ 'incident.recovered': true }), 'resolve');
  });

  it('names its kind of event in older versions', () => {
    const action = (type: string) => ofIcinga.sample('incident', { 'event.type': type }).action;
    assert.deepEqual(['state', 'acknowledgement-set', 'acknowledgement-cleared'].map(action), [
      'open',
      'acknowledge',
      'unacknowledge',
    ]);
    assert.ok('ignored' in ofIcinga.result('incident', { 'event.type': 'custom' }));
    assert.ok('ignored' in ofIcinga.result('incident', { incident: null }));
    assert.ok('error' in ofIcinga.result('incident', { 'incident.severity': null }));
  });
});

describe('the script on our page', () => {
  /** The script of a page, run with these variables. Returns the body that it posts. */
  async function posted(
    page: string,
    variables: Record<string, string>,
    troubles: ((response: ServerResponse) => void)[] = [],
  ): Promise<string> {
    const text = readFileSync(new URL(`../../../docs/integrations/${page}.md`, import.meta.url), 'utf8');
    const script = /```\n {3}(#!\/bin\/sh\n.*?)```/s.exec(text)?.[1]?.replace(/^ {3}/gm, '');
    assert.ok(script, `${page}.md has no script`);
    const bodies: string[] = [];
    const server = createServer(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      const trouble = troubles.shift();
      if (trouble) return trouble(response);
      bodies.push(body);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const folder = await mkdtemp(join(tmpdir(), 'script-'));
    const config = join(folder, 'tocsin.conf');
    await writeFile(config, `url = "http://127.0.0.1:${(server.address() as AddressInfo).port}/moment"\n`);
    const env = { PATH: process.env.PATH, TOCSIN_CONFIG: config, ...variables };
    await promisify(execFile)('sh', ['-c', script], { env }).finally(() => server.close());
    assert.equal(bodies.length, 1);
    return bodies[0] ?? '';
  }

  it("posts Nagios's texts, whatever they contain", async () => {
    const output = `DISK "CRITICAL" & <b> $(id) it's 97 % = @x ü`;
    const body = await posted('nagios', {
      ...{ NAGIOS_NOTIFICATIONTYPE: 'PROBLEM', NAGIOS_TIMET: '1795150860', NAGIOS_HOSTNAME: 'db-01' },
      ...{ NAGIOS_SERVICEDESC: 'Disk', NAGIOS_SERVICESTATE: 'WARNING', NAGIOS_SERVICEOUTPUT: output },
    });
    const [event] = eventsOf(nagios, body);
    assert.equal(event?.name, 'Disk on db-01 is WARNING');
    assert.ok(event?.description?.includes(output), event?.description ?? '');
  });

  it("posts Icinga's texts, whatever they contain", async () => {
    const output = `PING "CRITICAL" & $(id) it's \`gone\`\nsecond line`;
    const body = await posted('icinga2', {
      ...{ notification_type: 'PROBLEM', timet: '1795150860', host_name: 'db-01', host_state: 'DOWN' },
      host_output: output,
    });
    const [event] = eventsOf(icinga2, body);
    assert.equal(event?.name, 'db-01 is DOWN');
    assert.ok(event?.description?.includes(output), event?.description ?? '');
  });

  for (const [page, adapter] of [
    ['nagios', nagios],
    ['icinga2', icinga2],
  ] as const)
    it(`of ${page} retries if the answer is lost or 503, but not if the call is refused`, async () => {
      const check = { HOSTNAME: 'db-01', HOSTSTATE: 'DOWN', NOTIFICATIONTYPE: 'PROBLEM' };
      const variables = {
        ...Object.fromEntries(Object.entries(check).map(([name, value]) => [`NAGIOS_${name}`, value])),
        ...{ host_name: 'db-01', host_state: 'DOWN', notification_type: 'PROBLEM' },
      };
      const lost = (response: ServerResponse) => response.destroy();
      const answer = (status: number) => (response: ServerResponse) => response.writeHead(status).end();
      const [event] = eventsOf(adapter, await posted(page, variables, [lost, answer(503)]));
      assert.equal(event?.name, 'db-01 is DOWN');
      await assert.rejects(posted(page, variables, [answer(410)]), /410/);
    });
});
