export const PEOPLE = 60;
export const TEAMS = 12;
/** Admins, because they can open every view of the dashboard. */
export const ADMINS = 6;
const MEMBERS = 8;

export const email = (n: number): string => (n === 0 ? 'ada@example.com' : `person${n}@example.com`);
export const slug = (team: number): string => `team-${team}`;

/**
 * The operator's file. Everybody is reached at `provider`, and each team has a schedule of two stages with a backstop.
 * A stage waits `escalateMs`, which is five minutes of the compressed day but at least one second.
 */
export function organizationOf(provider: string, escalateMs: number): string {
  const minutes = Math.max(1, Math.round(escalateMs / 1_000)) / 60;
  const members = (team: number) => Array.from({ length: MEMBERS }, (_, n) => email((team * 5 + n) % PEOPLE));
  return JSON.stringify({
    organization: { name: 'Bench', time_zone: 'UTC' },
    users: Array.from({ length: PEOPLE }, (_, n) => ({
      email: email(n),
      name: `Person ${n}`,
      role: n === 0 ? 'owner' : n < ADMINS ? 'admin' : 'member',
      contact_methods: [{ type: 'webhook', value: `${provider}${n}` }],
    })),
    teams: Array.from({ length: TEAMS }, (_, team) => ({ slug: slug(team), members: members(team) })),
    schedules: Array.from({ length: TEAMS }, (_, team) => ({
      name: `Schedule ${team}`,
      team: slug(team),
      strategy: 'rotation',
      backstop: members(team)[7],
      shifts: { every: 'day', handoff: '09:00' },
      stages: [
        { stage: 1, members: members(team).slice(0, 4), escalate_after_minutes: minutes },
        { stage: 2, members: members(team).slice(4, 7), escalate_after_minutes: minutes },
      ],
    })),
  });
}
