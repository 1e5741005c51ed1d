import type { WithheldReport } from './api-contract.ts';

/** The totals are those of the teams, because only the windows with the most events are listed. */
export function withheldOf({
  teams,
  windows,
}: Pick<WithheldReport, 'teams' | 'windows'>): Pick<WithheldReport, 'total' | 'teams' | 'windows'> {
  const total = {
    alerts: teams.reduce((all, line) => all + line.alerts, 0),
    events: teams.reduce((all, line) => all + line.events, 0),
  };
  return { total, teams, windows };
}
