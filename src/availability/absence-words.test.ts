import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saysAway } from './absence-words.ts';
import { USUAL_WORDS } from './sources-api-contract.ts';

const isAway = saysAway(USUAL_WORDS);

describe('words for an absence', () => {
  it('are found as whole words, in the languages of people, whatever their case and accents', () => {
    for (const title of [
      ...['OOO', 'Ada OOO until Monday', 'Out-of-office', 'PTO', 'Ada: PTO (Spain)', 'Annual leave', 'Sick'],
      ...['Day off', 'Ada off', 'OFF', 'Off today', 'On vacation', 'Holidays!', 'away from keyboard'],
      ...[
        'Urlaub',
        'URLAUB Grace',
        'Grace im Urlaub',
        'abwesend',
        'Krank',
        'Vacances',
        'conges',
        'CONGÉS',
        'Absent',
      ],
      ...[
        'vacaciones',
        'Ausente',
        'Ferie',
        'Férias',
        'FERIAS',
        'Fe\u0301rias',
        'vakantie',
        'Verlof',
        'Urlop',
      ],
      ...['nieobecnosc', 'Semester', 'Frånvarande', 'Fravær'],
    ])
      assert.ok(isAway(title), title);
  });

  it('are not found in other words, or in titles that are only about absences', () => {
    for (const title of [
      ...[
        'Kick-off',
        'Project kick off',
        'Sign-off',
        'Sign off on the budget',
        'Kickoff',
        'Offer letter',
        'Offsite',
      ],
      ...[
        'Off-site in Rome',
        'Hand-off',
        'PTO policy',
        'PTO-policy review',
        'Vacation planning',
        'Holiday party',
      ],
      ...[
        'Leave policy',
        'Leave at 17:00',
        'Urlaub planen',
        'Urlaubsplanung',
        'Demande de fonds',
        'Breakaway',
      ],
      ...['Homesick', 'Logging off early', 'Semesterplan', 'Holiday-calendar'],
    ])
      assert.ok(!isAway(title), title);
  });

  it('may be a person’s own; the usual words of earlier releases are replaced by the current ones', () => {
    assert.ok(saysAway(['elternabend', 'half day'])('Half-day'));
    assert.ok(!saysAway(['elternabend'])('Urlaub'));
    const former = 'ooo,out of office,vacation,holiday,leave,pto,away,absent,sick,off'.split(',');
    assert.ok(saysAway(former)('Urlaub'));
    assert.ok(!saysAway([])('OOO'));
  });
});
