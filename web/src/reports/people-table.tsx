import type { FairnessLine } from '../../../src/reports/api-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import { t, tIn } from '../language/t.ts';
import { PersonHead } from './person-head.tsx';
import classes from './reports.module.css';
import { took } from './words.ts';

/** Headings of the columns, their hints and their values. */
const COLUMNS: readonly (readonly [name: string, hint: string, (line: FairnessLine) => string | number])[] = [
  [
    t('Pages'),
    t('that notified them: high, medium, low'),
    ({ pages }) => `${pages.high} · ${pages.medium} · ${pages.low}`,
  ],
  [t('Interrupted'), t('hours with a page'), ({ interrupted_hours }) => interrupted_hours],
  [
    t('While asleep'),
    t('of these within sleep hours'),
    ({ sleep_hours_interrupted }) => sleep_hours_interrupted,
  ],
  [tIn('pages that somebody acknowledged', 'Acknowledged'), t('pages'), ({ acknowledged }) => acknowledged],
  [
    tIn('how long it took until somebody answered', 'After'),
    t('from the notification to the answer, median'),
    ({ answered_after_seconds: s }) => (s === null ? '–' : took(s)),
  ],
  [
    tIn('shifts that somebody asked for', 'Requests'),
    t('shifts asked for: granted, of all'),
    ({ requests }) => ratio(requests.granted, requests.refused),
  ],
  [t('Preferences'), t('not to be on call: kept, of all'), ({ wishes }) => ratio(wishes.kept, wishes.broken)],
  [
    t('Covers'),
    t('taken over and given away'),
    ({ covers: { taken, given } }) => (taken + given === 0 ? '–' : `+${taken} −${given}`),
  ],
  [t('Backstop'), t('pages that they got as the backstop'), ({ backstop }) => backstop],
];

function ratio(good: number, bad: number): string {
  return good + bad === 0 ? '–' : t('{count} of {all}', { count: good, all: good + bad });
}

/** What being on call meant for each person. */
export function PeopleTable({
  people,
  marked,
}: {
  people: readonly FairnessLine[];
  /** The person whose row is highlighted. */
  marked: string | null;
}) {
  return (
    <section className={`stack ${classes.section}`} aria-label={t('Pages and preferences per person')}>
      <h2>{t('Pages and preferences per person')}</h2>
      <Scroller label={t('Pages and preferences of each person')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('Person')}</th>
              {COLUMNS.map(([name, hint]) => (
                <th key={name} scope="col" title={hint}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.map((line) => (
              <tr key={line.person.id} data-marked={line.person.id === marked ? '' : undefined}>
                <PersonHead person={line.person} />
                {COLUMNS.map(([name, , value]) => (
                  <td key={name}>{value(line)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
      <p className="faint">
        {COLUMNS.map(([column, meaning]) => t('{column}: {meaning}.', { column, meaning })).join(' ')}{' '}
        {t('How fast others answer is shown only to owners, admins and managers of the team.')}
      </p>
    </section>
  );
}
