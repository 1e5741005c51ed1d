import { Link } from '@tanstack/react-router';
import type { WithheldReport } from '../../../src/reports/api-contract.ts';
import { Scroller } from '../kit/scroller.tsx';
import { When } from '../kit/when.tsx';
import { t, tIn } from '../language/t.ts';
import type { Shown } from './queries.ts';
import classes from './reports.module.css';

/** What maintenance windows and silences kept from paging. */
export function Withheld({ report: { total, windows }, now }: { report: Shown<WithheldReport>; now: Date }) {
  if (windows.length === 0) return null;
  return (
    <section className={`stack ${classes.section}`} aria-label={t('Kept from paging')}>
      <h2>{t('Kept from paging by windows and silences')}</h2>
      <p className="muted">
        {t(
          '{alerts, plural, one {# alert} other {# alerts}}, {events, plural, one {# event} other {# events}}',
          { alerts: total.alerts, events: total.events },
        )}
      </p>
      <Scroller label={t('Windows and silences, most events first')}>
        <table className={classes.table}>
          <thead>
            <tr>
              {[
                t('Window'),
                t('Team'),
                tIn('of a window', 'Owner'),
                t('Alerts'),
                t('Events'),
                tIn('the last time', 'Last'),
              ].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {windows.map(({ window, team, owner, alerts, events, last_at: last }) => (
              <tr key={window.id}>
                <th scope="row">
                  <Link className="link" to="/windows/$id" params={{ id: window.id }}>
                    {window.name}
                  </Link>
                </th>
                <td>{team.name}</td>
                <td>{owner?.name ?? t('the operator')}</td>
                <td>{alerts}</td>
                <td>{events}</td>
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
