import { instantText } from '../../kit/instant.ts';
import { type Finding, fine, note, problem } from './finding.ts';

export type ScheduleFacts = {
  id: string;
  name: string;
  enabled: boolean;
  backstop: string | null;
  plannedUntil: Temporal.Instant | null;
  /** Gaps within the next days. */
  gaps: { stage: number; startsAt: Temporal.Instant; endsAt: Temporal.Instant }[];
};

/** Lists gaps, schedules that end soon, and schedules without a backstop. */
export function scheduleFindings(schedules: readonly ScheduleFacts[], now: Temporal.Instant): Finding[] {
  const enabled = schedules.filter((schedule) => schedule.enabled);
  const findings = enabled.flatMap((schedule) => [
    ...backstopFinding(schedule),
    ...planFinding(schedule, now),
    ...gapFindings(schedule),
  ]);
  return findings.length > 0 || enabled.length === 0
    ? findings
    : [fine('schedules', `${enabled.length} enabled, each with a backstop and without gaps for 7 days`)];
}

function backstopFinding({ name, backstop }: ScheduleFacts): Finding[] {
  if (backstop !== null) return [];
  const fix = `give ${name} a backstop in your file and run: tocsin apply FILE`;
  return [note('schedules', `${name} has no backstop: if nobody answers, nobody else is notified`, fix)];
}

function planFinding({ name, plannedUntil }: ScheduleFacts, now: Temporal.Instant): Finding[] {
  if (plannedUntil && Temporal.Instant.compare(plannedUntil, now) > 0) return [];
  const since = plannedUntil ? `ended ${instantText(plannedUntil)}` : 'was never made';
  const fix = 'start a server, which plans ahead automatically, or run: tocsin apply FILE';
  return [problem('schedules', `the plan of ${name} ${since}: nobody is on call`, fix)];
}

function gapFindings({ name, backstop, gaps }: ScheduleFacts): Finding[] {
  const [first] = gaps;
  if (!first) return [];
  const more = gaps.length > 1 ? ` and in ${gaps.length - 1} more ${gaps.length === 2 ? 'gap' : 'gaps'}` : '';
  const when = `from ${instantText(first.startsAt)} to ${instantText(first.endsAt)}${more}`;
  const message = `nobody is on call in stage ${first.stage} of ${name} ${when}`;
  const fix = 'add an override or members to the stage, or remove the absences that leave nobody';
  return [backstop === null ? problem('schedules', message, fix) : note('schedules', message, fix)];
}

export type OrganizationFacts = {
  name: string;
  owners: number;
  /** Teams without an enabled schedule. */
  teamsWithoutSchedule: string[];
};

export function organizationFindings(organizations: readonly OrganizationFacts[]): Finding[] {
  if (organizations.length === 0) {
    const fix = 'run: tocsin apply examples/acme.yaml, or: tocsin owner create --email EMAIL --name NAME';
    return [note('organization', 'there is none yet, so nobody can be paged', fix)];
  }
  return organizations.flatMap(({ name, owners, teamsWithoutSchedule }) => [
    ...(owners > 0
      ? []
      : [note('organization', `${name} has no owner`, 'run: tocsin owner create --email EMAIL --name NAME')]),
    ...teamsWithoutSchedule.map((slug) =>
      note(
        'schedules',
        `team ${slug} has no enabled schedule: a page to it finds nobody on call`,
        `add a schedule for ${slug} to your file`,
      ),
    ),
  ]);
}
