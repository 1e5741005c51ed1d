import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { MethodFacts } from '../../people/reachability.ts';
import {
  addressFindings,
  clockFindings,
  databaseFindings,
  queueFindings,
  replicationFindings,
  schemaFindings,
} from './database-findings.ts';
import type { Finding } from './finding.ts';
import { type Duty, providerFindings, reachFindings } from './people-findings.ts';
import { organizationFindings, type ScheduleFacts, scheduleFindings } from './schedule-findings.ts';

const now = Temporal.Instant.from('2026-11-20T09:00:00Z');

function levels(findings: readonly Finding[]): string[] {
  return findings.map(({ level, message }) => `${level}: ${message}`);
}

describe('the database', () => {
  const good = {
    versionNumber: 180_004,
    version: '18.4',
    fsync: 'on',
    synchronousCommit: 'on',
    fullPageWrites: 'on',
  };

  it('with durable commits is fine', () => {
    assert.deepEqual(levels(databaseFindings(good)), ['fine: PostgreSQL 18.4 stores commits durably']);
    assert.equal(databaseFindings({ ...good, synchronousCommit: 'remote_apply' })[0]?.level, 'fine');
  });

  it('that may lose commits, or is too old, is a problem each', () => {
    const bad = {
      versionNumber: 140_000,
      version: '14.0',
      fsync: 'off',
      synchronousCommit: 'off',
      fullPageWrites: 'off',
    };
    assert.deepEqual(levels(databaseFindings(bad)), [
      'problem: fsync is off: an accepted page may be lost when the machine loses power',
      'problem: full_page_writes is off: the database may be damaged when the machine loses power',
      'problem: synchronous_commit is off: the latest pages may be lost',
      'problem: PostgreSQL 14.0 is too old',
    ]);
  });

  it('that is replicated asynchronously may lose the latest commits', () => {
    const copied = { standbys: 1, synchronous: 0, names: '', synchronousCommit: 'on' };
    assert.deepEqual(replicationFindings({ ...copied, standbys: 0 }), []);
    assert.match(
      levels(replicationFindings(copied))[0] ?? '',
      /^note: a standby copies .* asynchronously: .*missing/,
    );
    assert.match(replicationFindings(copied)[0]?.fix ?? '', /^set synchronous_standby_names/);
    assert.match(levels(replicationFindings({ ...copied, names: '*' }))[0] ?? '', /^note: .*asynchronously/);
    const waited = { ...copied, names: '*', synchronous: 1 };
    assert.match(levels(replicationFindings(waited))[0] ?? '', /^fine: .*commits wait/);
    // A role that may not see the standbys of commits knows only the setting.
    assert.match(levels(replicationFindings({ ...waited, synchronous: null }))[0] ?? '', /^fine/);
    assert.match(
      levels(replicationFindings({ ...waited, synchronousCommit: 'local' }))[0] ?? '',
      /^note: synchronous_commit is local/,
    );
  });

  it('with unfinished migrations is slower, and names them', () => {
    assert.deepEqual(schemaFindings([]), []);
    assert.deepEqual(levels(schemaFindings(['0175_lists.sql'])), [
      'note: 0175_lists.sql is not applied yet: lists may be slow',
    ]);
    assert.match(schemaFindings(['0175_lists.sql'])[0]?.fix ?? '', /^leave a server running/);
  });

  it('and this machine should agree on the time', () => {
    assert.deepEqual(
      [0, -1_900, 2_500, -61_000].map((skew) => clockFindings(skew)[0]?.level),
      ['fine', 'fine', 'note', 'problem'],
    );
    assert.match(clockFindings(2_500)[0]?.message ?? '', /2\.5 s ahead of the database/);
    assert.match(clockFindings(-61_000)[0]?.message ?? '', /61\.0 s behind the database/);
  });
});

describe('the queue', () => {
  const idle = { stepSeconds: 0, deliverySeconds: 0, callSeconds: 0 };
  const all = { role: 'all', host: 'a' };

  it('that is late is a problem, and the fix depends on whether a worker runs', () => {
    const late = { ...idle, stepSeconds: 181 };
    const [withWorker] = queueFindings({ ...late, nodes: [all] });
    assert.equal(withWorker?.message, 'a step of a page has been due for 181 s');
    assert.match(withWorker?.fix ?? '', /log of the workers/);
    assert.match(queueFindings({ ...late, nodes: [] })[0]?.fix ?? '', /start a server/);
  });

  it('needs a running worker', () => {
    assert.deepEqual(levels(queueFindings({ ...idle, nodes: [] })), [
      'fine: nothing waits too long',
      'note: no server runs now: nobody can be paged',
    ]);
    assert.equal(queueFindings({ ...idle, nodes: [{ role: 'api', host: 'a' }] })[1]?.level, 'problem');
    assert.equal(
      queueFindings({
        ...idle,
        nodes: [
          { role: 'api', host: 'a' },
          { role: 'worker', host: 'b' },
        ],
      })[1]?.level,
      'fine',
    );
  });
});

describe('links in messages', () => {
  const at = (role: string, publicUrl: string | null, host = 'a') => ({ role, host, publicUrl });

  it('lead to one address that people can reach', () => {
    const far = 'https://tocsin.example.com';
    assert.deepEqual(addressFindings([]), []);
    assert.deepEqual(levels(addressFindings([at('api', far), at('worker', null, 'b')])), [
      `fine: links in messages lead to ${far}`,
    ]);
    assert.match(
      levels(addressFindings([at('api', far), at('worker', 'http://127.0.0.1:8090')]))[0] ?? '',
      /^problem: the processes disagree .*8090, https:.*some lead nowhere/,
    );
    const near = 'http://127.0.0.1:8080';
    assert.match(levels(addressFindings([at('all', near)]))[0] ?? '', /^note: .*opens on this machine only/);
    assert.match(
      levels(addressFindings([at('api', near), at('worker', null, 'b')]))[0] ?? '',
      /^problem: .*other machines cannot open/,
    );
  });
});

describe('people on call', () => {
  const ada: Duty = {
    userId: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    schedule: 'SRE',
    stage: 1,
    from: null,
  };
  const method = (
    type: MethodFacts['type'],
    value: string,
    more: Partial<MethodFacts> = {},
  ): MethodFacts => ({
    userId: 'ada',
    type,
    value,
    chatUserId: null,
    verified: true,
    ...more,
  });
  const there = { userId: 'ada', disabled: false, dashboardOpen: false };
  const check = (methods: MethodFacts[], unavailable: [string, string][] = [], allowPrivate = false) =>
    reachFindings([ada], [{ ...there, methods }], {
      unavailable: new Map(unavailable) as never,
      allowPrivate,
    })[0];

  it('need one working contact method', () => {
    assert.equal(check([method('email', 'ada@example.com')])?.level, 'fine');
    assert.equal(
      check([])?.message,
      'Ada (ada@example.com) is on call in stage 1 of SRE now and cannot be reached: no contact method',
    );
    const two = [method('email', 'ada@example.com'), method('phone', '+15005550006')];
    const smsOnly: [string, string][] = [
      ['email', 'Email is not set up: set SMTP_URL.'],
      ['voice', 'Voice calls are not set up.'],
    ];
    assert.equal(check(two, smsOnly)?.level, 'fine');
    const nothing: [string, string][] = [...smsOnly, ['sms', 'SMS is not set up: set TWILIO_FROM.']];
    assert.match(
      check(two, nothing)?.message ?? '',
      /cannot be reached: Email is not set up: set SMTP_URL; SMS is not set up/,
    );
  });

  it('are not reached by methods that are unverified, without a chat account, or at a private address', () => {
    assert.match(
      check([method('email', 'x@y.z', { verified: false })])?.message ?? '',
      /email x@y\.z is not verified/,
    );
    assert.match(check([method('chat', 'ada')])?.message ?? '', /chat ada has no chat_user_id/);
    assert.equal(check([method('chat', 'ada', { chatUserId: 'U1' })])?.level, 'fine');
    for (const url of ['http://127.0.0.1:9000/', 'http://localhost/x', 'http://10.0.0.1/', 'http://[::1]/']) {
      assert.match(
        check([method('webhook', url)])?.message ?? '',
        /private address, and ALLOW_PRIVATE_WEBHOOKS/,
        url,
      );
      assert.equal(check([method('webhook', url)], [], true)?.level, 'fine');
    }
  });

  it('are noted if only an open dashboard reaches them', () => {
    const [found] = reachFindings([ada], [{ ...there, dashboardOpen: true, methods: [] }], {
      unavailable: new Map(),
      allowPrivate: false,
    });
    assert.equal(found?.level, 'note');
    assert.match(
      found?.message ?? '',
      /can be reached only while their dashboard is open: no contact method$/,
    );
  });

  it('are named once, with the first of their duties', () => {
    const later: Duty = { ...ada, stage: 2, from: now };
    const backstop: Duty = { ...ada, userId: 'bob', name: 'Bob', stage: null };
    const people = ['ada', 'bob'].map((userId) => ({ ...there, userId, methods: [] }));
    const found = reachFindings([later, ada, backstop], people, {
      unavailable: new Map(),
      allowPrivate: false,
    });
    assert.match(
      found[0]?.message ?? '',
      /^Ada .* is on call in stage 2 of SRE from 2026-11-20T09:00:00\.000Z/,
    );
    assert.match(found[1]?.message ?? '', /^Bob .* is the backstop of SRE and/);
    assert.equal(found.length, 2);
  });

  it('and the providers that they use', () => {
    const people = [
      { methods: [method('phone', '+1'), method('email', 'a@b.c')] },
      { methods: [method('email', 'd@e.f', { userId: 'bob' })] },
    ];
    const unavailable = new Map([
      ['sms', 'No Twilio.'],
      ['email', 'No SMTP.'],
      ['chat', 'No Slack.'],
    ]) as never;
    assert.deepEqual(levels(providerFindings(people, { unavailable })), [
      'note: No Twilio; 1 person uses it',
      'note: No SMTP; 2 people use it',
    ]);
  });
});

describe('schedules', () => {
  const sre: ScheduleFacts = {
    id: 's',
    name: 'SRE',
    enabled: true,
    backstop: 'a@b.c',
    plannedUntil: now.add({ hours: 1 }),
    gaps: [],
  };
  const gap = { stage: 1, startsAt: now, endsAt: now.add({ hours: 2 }) };

  it('without problems are one line', () => {
    assert.deepEqual(levels(scheduleFindings([sre], now)), [
      'fine: 1 enabled, each with a backstop and without gaps for 7 days',
    ]);
  });

  it('with a gap are a problem if they have no backstop', () => {
    assert.equal(scheduleFindings([{ ...sre, gaps: [gap, gap] }], now)[0]?.level, 'note');
    const [noBackstop, found] = scheduleFindings([{ ...sre, backstop: null, gaps: [gap, gap] }], now);
    assert.equal(noBackstop?.level, 'note');
    assert.equal(found?.level, 'problem');
    assert.match(
      found?.message ?? '',
      /stage 1 of SRE from 2026-11-20T09:00:00\.000Z to .* and in 1 more gap$/,
    );
  });

  it('whose plan has ended leave nobody on call', () => {
    assert.match(
      scheduleFindings([{ ...sre, plannedUntil: now }], now)[0]?.message ?? '',
      /plan of SRE ended .*: nobody is on call/,
    );
    assert.match(
      scheduleFindings([{ ...sre, plannedUntil: null }], now)[0]?.message ?? '',
      /plan of SRE was never made/,
    );
  });

  it('that are disabled are ignored', () => {
    assert.deepEqual(scheduleFindings([{ ...sre, enabled: false, backstop: null, gaps: [gap] }], now), []);
  });
});

describe('the organization', () => {
  it('should exist, have an owner, and a schedule for each team', () => {
    assert.match(organizationFindings([])[0]?.fix ?? '', /tocsin apply examples\/acme\.yaml/);
    assert.deepEqual(
      levels(organizationFindings([{ name: 'Acme', owners: 0, teamsWithoutSchedule: ['web'] }])),
      [
        'note: Acme has no owner',
        'note: team web has no enabled schedule: a page to it finds nobody on call',
      ],
    );
    assert.deepEqual(organizationFindings([{ name: 'Acme', owners: 1, teamsWithoutSchedule: [] }]), []);
  });
});
