import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandsHere } from '../../testing/commands.ts';

const { tocsin, file, rows } = await commandsHere();

const HEAD = `organization: { name: Acme }
users: [ { email: ada@example.com, role: owner } ]
teams: [ { slug: sre }, { slug: web } ]
`;
const KEY = '0123456789abcdef0123456789abcdef';
const SOURCES = `sources:
  - team: sre
    name: Prometheus
    type: alertmanager
    expires_at: 2099-01-01T00:00:00Z
    settings:
      urgencies: { warning: medium }
      rules: [ { match: ["env=staging"], then: { team: web } } ]
  - { team: sre, name: Old PagerDuty, type: pagerduty-events, key: ${KEY} }
  - { team: web, name: Backup, type: heartbeat, interval_minutes: 60 }
  - { team: web, name: Opsgenie, type: opsgenie-api }
`;
const apply = (text: string, ...options: string[]) =>
  tocsin.run(['apply', file('acme.yaml', text), ...options]);
const settings = () =>
  rows(`select w.name, s.settings, s.interval_minutes, s.key_last4 from page_sources s join webhooks w on w.id = s.id
    where w.revoked_at is null order by w.name`);

describe('the sources of a file', () => {
  it('are not created by a dry run', async () => {
    const ran = await apply(HEAD + SOURCES, '--dry-run');
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stdout, /^\+ source sre Prometheus: alertmanager$/m);
    assert.doesNotMatch(ran.stdout, /shown only once/);
    assert.deepEqual(await rows('select to_regclass($$page_sources$$) is not null as there'), [
      { there: true },
    ]);
    assert.deepEqual(await settings(), []);
  });

  it('are created with generated keys', async () => {
    const ran = await apply(HEAD + SOURCES);
    assert.equal(ran.code, 0, ran.stderr);
    const [, key] =
      /^Keys of new sources, shown only once:\n {2}web {2}Opsgenie {2}(\S+)$/m.exec(ran.stdout) ?? [];
    const found = await settings();
    assert.deepEqual(
      found.map(({ name, interval_minutes, key_last4 }) => [name, interval_minutes, key_last4]),
      [
        ['Backup', 60, null],
        ['Old PagerDuty', null, 'cdef'],
        ['Opsgenie', null, key?.slice(-4)],
        ['Prometheus', null, null],
      ],
    );
  });

  it('do not change if the file is applied again', async () => {
    const ran = await apply(HEAD + SOURCES);
    assert.equal(ran.stdout, 'Nothing changes: Acme is as the file says.\n', ran.stderr);
  });

  it('change with the file', async () => {
    const text = SOURCES.replace('interval_minutes: 60', 'interval_minutes: 90')
      .replace('2099-', '2098-')
      .replace('urgencies: { warning: medium }', 'wait_minutes: 5')
      .replace(KEY, KEY.replaceAll('0', 'f'));
    const ran = await apply(HEAD + text);
    assert.equal(ran.code, 0, ran.stderr);
    assert.match(ran.stdout, /^~ source web Backup: interval: was 60 minutes, is 90 minutes$/m);
    assert.match(ran.stdout, /^~ source sre Old PagerDuty: a new key$/m);
    assert.match(ran.stdout, /^ {4}expiry: was 2099-\S+, is 2098-\S+$/m);
    assert.deepEqual((await settings()).at(-1)?.settings, {
      wait_minutes: 5,
      rules: [{ match: ['env=staging'], then: { team: 'web' } }],
    });
    assert.match((await apply(HEAD + text)).stdout, /^Nothing changes/);
  });

  it('are refused with line and column', async () => {
    const wrong = SOURCES.replace('warning: medium', 'warning: loud')
      .replace('team: web } }', 'team: wbe } }')
      .replace('type: heartbeat, ', 'type: grafana, ')
      .replace('team: web, name: Opsgenie', 'team: ops, name: Opsgenie')
      .replace('name: Old PagerDuty', 'nam: Old PagerDuty');
    const ran = await apply(HEAD + wrong);
    assert.equal(ran.code, 1);
    assert.match(
      ran.stderr,
      /acme\.yaml:10:29 sources\[0\]\.settings\.urgencies\.warning is "loud", which is not among/,
    );
    assert.match(
      ran.stderr,
      /acme\.yaml:12:\d+ sources\[1\]\.nam is not a key of a source; did you mean name\?/,
    );
    assert.match(
      ran.stderr,
      /acme\.yaml:13:\d+ sources\[2\]\.type is grafana, but the source Backup has the type heartbeat/,
    );
    assert.match(ran.stderr, /acme\.yaml:14:\d+ sources\[3\]\.team is ops, which is neither in this file/);
    const rule = await apply(HEAD + SOURCES.replace('team: web } }', 'team: wbe } }'));
    assert.match(
      rule.stderr,
      /sources\[0\]\.settings\.rules\[0\]\.then\.team is wbe, which is neither in this file/,
    );
  });

  it('stay if the file has none, and are revoked by --prune if it has others', async () => {
    const one = `sources:\n  - { team: web, name: Backup, type: heartbeat }\n`;
    assert.equal((await apply(HEAD, '--prune')).code, 0);
    assert.equal((await settings()).length, 4);
    const ran = await apply(HEAD + one, '--prune');
    assert.match(ran.stdout, /^- source sre Prometheus$/m);
    assert.deepEqual(
      (await settings()).map(({ name }) => name),
      ['Backup'],
    );
  });
});
