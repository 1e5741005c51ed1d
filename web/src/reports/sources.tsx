import type { SourceLine } from '../../../src/reports/api-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import { When } from '../kit/when.tsx';
import { t, tIn } from '../language/t.ts';
import classes from './reports.module.css';

/** Which sources raise the most pages; making them quieter lightens the load of everybody. */
export function Sources({ sources, now }: { sources: readonly SourceLine[]; now: Date }) {
  if (sources.length === 0) return null;
  return (
    <section className={`stack ${classes.section}`} aria-label={t('Noisiest sources')}>
      <h2>{t('Noisiest sources')}</h2>
      <Scroller label={t('Sources of pages, noisiest first')}>
        <table className={classes.table}>
          <thead>
            <tr>
              {[
                t('Source'),
                t('Pages'),
                t('People notified'),
                t('While asleep'),
                tIn('the last time', 'Last'),
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sources.map(({ source, pages, asked, asleep, last_at: last }) => (
              <tr key={source}>
                <th scope="row">{source}</th>
                <td>{pages}</td>
                <td>{asked}</td>
                <td>{asleep}</td>
                <td>
                  <When at={last} now={now} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </section>
  );
}
