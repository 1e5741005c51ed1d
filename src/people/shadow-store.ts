import { type RawBuilder, sql } from 'kysely';

/**
 * The active shadows of a schedule, as a table with `user_id`, `of_id` (null: of everybody), `starts_at` and `ends_at`.
 * `schedule`: an alias of the table `schedules`, which comes before this in the query.
 */
export function shadowsIn(schedule: string): RawBuilder<unknown> {
  const s = sql.raw(schedule);
  return sql`lateral (
    select learner.id as user_id, entry ->> 'of' as of_id,
      coalesce((entry ->> 'from')::date::timestamp at time zone ${s}.time_zone, '-infinity') as starts_at,
      coalesce(((entry ->> 'until')::date + 1)::timestamp at time zone ${s}.time_zone, 'infinity') as ends_at
    from jsonb_array_elements(coalesce(${s}.planning -> 'shadows', '[]')) entry
    join users learner on learner.organization_id = ${s}.organization_id and learner.id = entry ->> 'userId'
      and learner.disabled_at is null)`;
}

/**
 * Whether a shadow, in the table `shadow`, learns from a shift, in the table `shift`: from any part of it, or at the
 * instant `at`.
 */
export function learnsFrom(
  shadow: string,
  shift: string,
  at: Temporal.Instant | null = null,
): RawBuilder<boolean> {
  const [w, h] = [sql.raw(shadow), sql.raw(shift)];
  const time = at
    ? sql`${w}.starts_at <= ${at} and ${w}.ends_at > ${at}`
    : sql`${w}.starts_at < ${h}.ends_at and ${w}.ends_at > ${h}.starts_at`;
  return sql<boolean>`(${h}.user_id <> ${w}.user_id and ${h}.user_id = coalesce(${w}.of_id, ${h}.user_id) and ${time})`;
}
