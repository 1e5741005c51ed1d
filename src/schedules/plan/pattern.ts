/**
 * When shifts change hands, as the schedule's author wrote it, in one canonical form: this is what the database keeps.
 * `starts_on` (a local date) is where counting begins when shifts are longer than a day or a week.
 */
export type Pattern = ({ every: string } | { rrule: string }) & { handoff: string; starts_on?: string };
