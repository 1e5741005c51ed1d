import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { settingsProblems } from './check-settings.ts';
import type { SourceEvent, SourceRule, SourceSettings } from './contract.ts';
import { decide } from './decide.ts';
import { parseMatcher } from './matcher.ts';

const AT = Temporal.Instant.from('2026-03-02T10:00:00Z');

function event(given: Partial<SourceEvent> = {}): SourceEvent {
  return {
    action: 'trigger',
    dedupKey: 'disk',
    title: 'Disk full on db-1',
    text: '98 %',
    sourceUrl: null,
    urgency: null,
    severity: null,
    labels: [],
    source: 'Prometheus',
    by: null,
    occurredAt: AT,
    at: AT,
    ...given,
  };
}

function urgency(given: Partial<SourceEvent>, settings: SourceSettings = {}, type = 'alertmanager') {
  return decide(event(given), settings, type).urgency;
}

/** Whether a rule with these matchers decides about the event. */
function matches(match: string[], given: Partial<SourceEvent>): boolean {
  return decide(event(given), { rules: [{ match, then: { ignore: true } }] }, 'custom').ignored !== null;
}

describe('The urgency of an event', () => {
  it('follows the table of defaults', () => {
    const table: [string, string][] = [
      ['critical', 'high'],
      ['error', 'high'],
      ['warning', 'low'],
      ['info', 'low'],
      ['P1', 'high'],
      ['P2', 'high'],
      ['P3', 'medium'],
      ['P4', 'low'],
      ['P5', 'low'],
      [' Critical ', 'high'],
      ['SEV-1', 'high'],
    ];
    for (const [severity, expected] of table) assert.equal(urgency({ severity }), expected, severity);
  });

  it("is medium without a known word, but high where PagerDuty's would be", () => {
    assert.equal(urgency({ severity: null }), 'medium');
    assert.equal(urgency({ severity: 'odd' }, {}, 'opsgenie-api'), 'medium');
    assert.equal(urgency({ severity: 'odd' }, {}, 'pagerduty-events'), 'high');
    assert.equal(urgency({ severity: null }, {}, 'pagerduty-events'), 'high');
    assert.equal(urgency({ severity: 'warning' }, {}, 'pagerduty-events'), 'low');
  });

  it("is the adapter's priority for a word that only the adapter knows", () => {
    assert.equal(urgency({ severity: 'Disaster', priority: 'high' }, {}, 'zabbix'), 'high');
    assert.equal(urgency({ severity: 'critical', priority: 'low' }, {}, 'zabbix'), 'high');
  });

  it('comes from the body, otherwise from the source, otherwise from the default', () => {
    const settings: SourceSettings = { urgencies: { ' Warning': 'high', Critical: 'none' } };
    assert.equal(urgency({ severity: 'WARNING ' }, settings), 'high');
    assert.equal(urgency({ severity: 'critical' }, settings), 'none');
    assert.equal(urgency({ severity: 'info' }, settings), 'low');
    assert.equal(urgency({ severity: 'critical', urgency: 'medium' }, settings), 'medium');
  });

  it('is decided by the first matching rule, before everything else', () => {
    const rules: SourceRule[] = [
      { match: ['service=web'], then: { urgency: 'low' } },
      { match: ['service=db', 'severity!=info'], then: { urgency: 'high' } },
      { match: ['service=db'], then: { urgency: 'medium' } },
    ];
    const labels = ['service=db'];
    assert.equal(urgency({ labels, severity: 'warning', urgency: 'low' }, { rules }), 'high');
    assert.equal(urgency({ labels, severity: 'info' }, { rules }), 'medium');
  });
});

describe('A decision', () => {
  it('names the rule that decided, and its change', () => {
    const rules: SourceRule[] = [
      { match: ['service=web'], then: { urgency: 'low' } },
      {
        match: ['severity=critical', 'service=db'],
        then: { urgency: 'high', team: 'dba', stage: 2, wait_minutes: 5 },
      },
    ];
    const text = 'rule 2: severity=critical and service=db → high, team dba, stage 2, after 5 minutes';
    assert.deepEqual(
      decide(
        event({ severity: 'critical', labels: ['service=db'] }),
        { rules, wait_minutes: 1 },
        'alertmanager',
      ),
      {
        urgency: 'high',
        rule: { number: 2, text },
        ignored: null,
        team: 'dba',
        person: null,
        stage: 2,
        waitMinutes: 5,
        reasons: [text],
      },
    );
  });

  it('gives the meaning of the severity if no rule changes the urgency', () => {
    const person: SourceSettings = {
      rules: [{ match: ['tag=prod'], then: { person: 'ada@example.com' } }],
      wait_minutes: 3,
    };
    const decision = decide(event({ severity: 'critical', labels: ['prod'] }), person, 'custom');
    assert.equal(decision.person, 'ada@example.com');
    assert.equal(decision.waitMinutes, 3);
    assert.deepEqual(decision.reasons, ['severity critical → high', 'rule 1: tag=prod → ada@example.com']);
    assert.deepEqual(decide(event({ urgency: 'low' }), {}, 'custom').reasons, [
      'urgency low, named by the sender',
    ]);
    assert.deepEqual(decide(event(), {}, 'custom').reasons, ['no severity → medium']);
  });

  it('gives the reason in a sentence if it pages nobody', () => {
    const ignored = (settings: SourceSettings) =>
      decide(event({ severity: 'info' }), settings, 'custom').ignored;
    assert.equal(
      ignored({ rules: [{ match: ['severity=info'], then: { ignore: true } }] }),
      'Rule 1 of the source (severity=info) ignores it.',
    );
    assert.equal(
      ignored({ rules: [{ match: ['severity=info'], then: { urgency: 'none' } }] }),
      'Rule 1 of the source (severity=info) gives it the urgency none, which pages nobody.',
    );
    assert.equal(
      ignored({ urgencies: { info: 'none' } }),
      'The urgencies of the source page nobody for it (severity info → none).',
    );
    assert.equal(
      ignored({
        urgencies: { info: 'none' },
        rules: [{ match: ['severity=info'], then: { urgency: 'low' } }],
      }),
      null,
    );
  });
});

describe('A matcher', () => {
  it('compares labels in all three spellings, severity, title and source', () => {
    const given = {
      labels: ['service=db', 'env:prod', 'urgent', 'instance=db-1:9090'],
      severity: 'CRITICAL',
    };
    for (const matcher of [
      'service=db',
      'env=prod',
      'tag=urgent',
      'tag=env:prod',
      'instance=db-1:9090',
      'severity=critical',
      'severity=~crit.*',
      'title=Disk full on db-1',
      'title=~Disk full.*',
      'source=Prometheus',
      ' service = "db" ',
      'service!=web',
    ])
      assert.ok(matches([matcher], given), matcher);
    for (const matcher of ['service=DB', 'service!=db', 'urgent=urgent', 'title=~Disk', 'source=prometheus'])
      assert.ok(!matches([matcher], given), matcher);
  });

  it('treats an absent key as an empty text, as Prometheus does', () => {
    assert.ok(!matches(['team=sre'], {}));
    assert.ok(!matches(['team=~.+'], {}));
    assert.ok(matches(['team!=sre'], {}));
    assert.ok(matches(['team='], {}));
    assert.ok(!matches(['team!='], {}));
  });

  it('of a repeated label needs one equal value, and no excluded one', () => {
    const labels = ['service:web', 'service:db'];
    assert.ok(matches(['service=db', 'service=web'], { labels }));
    assert.ok(!matches(['service!=db'], { labels }));
  });

  it('compares a regex with the whole value, in linear time', () => {
    assert.ok(matches(['service=~web|db'], { labels: ['service=db'] }));
    assert.ok(!matches(['service=~web|d'], { labels: ['service=db'] }));
    assert.ok(matches(['title=~a.*z'], { title: 'a\nz' }));
    assert.ok(!matches(['title=~(a+)+b'], { title: 'a'.repeat(200) }));
  });

  it('is refused with a reason', () => {
    const problem = (text: string) => (parseMatcher(text) as { problem?: string }).problem;
    const hint = 'write key=value, key!=value or key=~regex';
    assert.equal(problem('critical'), `is "critical", which is not a matcher; ${hint}`);
    assert.equal(problem('a!~b'), `is "a!~b", but there is no operator !~; ${hint}`);
    assert.equal(
      problem('a=~('),
      'has the regex "(", which RE2 cannot read (missing closing ): `(`); correct it',
    );
    assert.match(problem('a=~(?=b)') ?? '', /RE2 cannot read/);
    assert.match(problem(`a=~${'[\\p{L}]{900}'.repeat(4)}`) ?? '', /is too large; use fewer repetitions/);
    assert.equal(problem('a=~[\\p{L}]{900}'), undefined);
  });

  it('agrees with a plain comparison for any texts', () => {
    const word = fc.stringMatching(/^[a-z0-9./:-]{1,20}$/);
    fc.assert(
      fc.property(word, word, (value, other) => {
        const given = { labels: [`k=${value}`] };
        assert.equal(matches([`k=${other}`], given), value === other);
        assert.equal(matches([`k!=${other}`], given), value !== other);
        assert.equal(matches([`k=~${other.replaceAll('.', '\\.')}`], given), value === other);
      }),
    );
  });
});

describe('The settings of a source', () => {
  const problems = (settings: unknown) =>
    settingsProblems(settings).map(({ field, message }) => `${field} ${message}`);
  const rule = (then: unknown, match: unknown = ['a=b']) => problems({ rules: [{ match, then }] });

  it('may be empty, or name everything', () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(
      problems({
        urgencies: { critical: 'high', info: 'none' },
        rules: [
          { match: ['severity=critical'], then: { urgency: 'high', team: 'dba', stage: 2, wait_minutes: 5 } },
        ],
        wait_minutes: 1_440,
        on_resolve: 'keep',
        on_acknowledge: 'ignore',
        hours: {
          zone: 'Europe/Berlin',
          weekly: [
            { days: [1, 2], from: '22:00', to: '06:00' },
            { days: [7], from: '00:00', to: '24:00' },
          ],
          outside: 'hold',
        },
        record_moments: false,
      }),
      [],
    );
    assert.deepEqual(problems({ hours: null }), []);
  });

  it('name each wrong field and the fix', () => {
    assert.deepEqual(problems({ urgences: {}, wait_minutes: 1_441 }), [
      'settings.urgences is not a setting; did you mean urgencies?',
      'settings.wait_minutes is 1441, out of range; give a whole number from 0 to 1440',
    ]);
    assert.deepEqual(rule({ urgency: 'low' }, ['a=b', 'critical', 'a=~(']), [
      'settings.rules[0].match[1] is "critical", which is not a matcher; write key=value, key!=value or key=~regex',
      'settings.rules[0].match[2] has the regex "(", which RE2 cannot read (missing closing ): `(`); correct it',
    ]);
    assert.deepEqual(problems({ urgencies: { Info: 'low', ' info': 'none' } }), [
      'settings.urgencies. info is the same word as Info, because case is ignored; keep one',
    ]);
  });

  it('refuse settings without an effect', () => {
    const then = 'settings.rules[0].then';
    assert.deepEqual(rule({ team: 'dba', person: 'ada@example.com' }), [
      `${then} names a team and a person, but a page goes to only one; keep one of them`,
    ]);
    assert.deepEqual(rule({ stage: 2, person: 'ada@example.com' }), [
      `${then} names a stage and a person, but only the schedule of a team has stages; keep one of them`,
    ]);
    assert.deepEqual(rule({ ignore: true, urgency: 'high' }), [
      `${then} ignores the event, so urgency would have no effect; leave urgency out`,
    ]);
    assert.deepEqual(rule({ urgency: 'none', wait_minutes: 5 }), [
      `${then} pages nobody, so wait_minutes would have no effect; leave wait_minutes out`,
    ]);
    assert.deepEqual(rule({ stage: 0 }), [`${then}.stage is 0; give the number of a stage, such as 2`]);
  });

  it('require hours that exist', () => {
    const hours = (zone: string, from: string, to: string) =>
      problems({ hours: { zone, weekly: [{ days: [1], from, to }], outside: 'hold' } });
    assert.deepEqual(hours('Europe/Bonn', '08:00', '08:00'), [
      'settings.hours.zone is "Europe/Bonn", which is not a known zone; give an IANA time zone such as Europe/Berlin',
      'settings.hours.weekly[0].to is the same as from; give from "00:00" and to "24:00" for whole days',
    ]);
    assert.deepEqual(hours('UTC', '24:00', '08:00'), [
      'settings.hours.weekly[0].from is 24:00, but a day begins at 00:00; give a time before 24:00',
    ]);
    assert.deepEqual(hours('UTC', '08:00', '24:30'), [
      'settings.hours.weekly[0].to is later than 24:00, the end of a day; give a local time such as 17:00',
    ]);
  });
});
