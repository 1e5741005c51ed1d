import type { Handle } from '../db/database.ts';
import type { Means } from '../people/reachability.ts';
import type { PageSummary } from './api-contract.ts';
import { type Escalation, MAX_ROUNDS } from './escalation.ts';
import { type ForecastStep, forecast } from './forecast.ts';
import { assigneesOf } from './store.ts';
import { readEscalation } from './team-escalation.ts';

/** `escalation`: the people whom the page's team can reach when the next step is due; null if no schedule decides. */
export type PageForecast = { steps: ForecastStep[]; escalation: Escalation | null };

/** The people whom an open page notifies from its next step on if nobody answers. No steps unless it is notifying. */
export async function forecastOfPage(
  { db, means }: { db: Handle; means: Means },
  organizationId: string,
  page: Pick<PageSummary, 'id' | 'state' | 'next' | 'team' | 'person' | 'urgency' | 'last_round'>,
): Promise<PageForecast> {
  const { next, team, person, urgency, last_round } = page;
  if (page.state !== 'notifying' || !next) return { steps: [], escalation: null };
  const dueAt = Temporal.Instant.from(next.at);
  const assignees = next.kind === 'person' ? (await assigneesOf(db, [page.id])).get(page.id) : undefined;
  const userIds = assignees ?? (person && !team ? [person.id] : null);
  if (next.kind === 'person' && userIds) {
    const as = assignees ? 'added' : 'person';
    return {
      steps: [{ at: dueAt, kind: 'notify', as, stage: null, round: next.round, userIds }],
      escalation: null,
    };
  }
  const escalation = team && (await readEscalation(db, means, { organizationId, teamId: team.id }, dueAt));
  // `decideTeamStep` expects the last round with the usual number of rounds.
  const usual = last_round + MAX_ROUNDS - (escalation?.rounds ?? MAX_ROUNDS);
  return { steps: forecast({ step: next, dueAt }, urgency, escalation, usual), escalation };
}
