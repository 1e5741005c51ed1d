import { type RawBuilder, sql } from 'kysely';

/** The condition for an expired page, in the table `page`, that nobody has resolved or raised again since. */
export function isUnanswered(page: string): RawBuilder<boolean> {
  const p = sql.raw(page);
  return sql<boolean>`(${p}.state = 'expired'
    and ${p}.expired_at >= (select o.expired_pages_since from organizations o where o.id = ${p}.organization_id)
    and not exists (
      select from pages_again again where again.former_page_id = ${p}.id and again.raised_at >= ${p}.expired_at))`;
}

/** The condition for a page, in the table `page`, that somebody has to act on. */
export function isOpen(page: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.raw(page)}.state in ('notifying', 'acknowledged') or ${isUnanswered(page)})`;
}

/** The rows of `isOpen` of one organization. Each kind has its own index. */
export function openPagesOf(organizationId: string): RawBuilder<unknown> {
  return sql`(
    select * from pages where organization_id = ${organizationId} and state in ('notifying', 'acknowledged')
    union all
    select e.* from pages e where e.organization_id = ${organizationId} and ${isUnanswered('e')})`;
}
