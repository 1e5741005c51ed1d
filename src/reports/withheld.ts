import type { WithheldLine, WithheldReport } from './api-contract.ts';

/** Totals of the events that windows held back, over all and for each team. Lines keep their order. */
export function withheldOf(
  windows: readonly WithheldLine[],
): Pick<WithheldReport, 'total' | 'teams' | 'windows'> {
  const ofTeams = Map.groupBy(windows, ({ team }) => team.id);
  const teams = [...ofTeams.values()].flatMap((lines) =>
    lines.slice(0, 1).map(({ team }) => ({ team, windows: lines.length, ...sum(lines) })),
  );
  return {
    total: sum(windows),
    teams: teams.toSorted((a, b) => b.events - a.events || a.team.name.localeCompare(b.team.name)),
    windows: [...windows],
  };
}

function sum(lines: readonly WithheldLine[]): { alerts: number; events: number } {
  const alerts = lines.reduce((all, line) => all + line.alerts, 0);
  const events = lines.reduce((all, line) => all + line.events, 0);
  return { alerts, events };
}
