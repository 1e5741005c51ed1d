import type { PageDetail } from '../../../src/pages/api-contract.ts';

/**
 * A page and its timeline as JSON, for a script or a review. The entries are those of `GET /api/pages/:id`; times are
 * ISO 8601 in UTC. `url`: the address of the page in the dashboard.
 */
export function timelineJson({ page, related, timeline }: PageDetail, url: string): string {
  const { id, title, text, urgency, state, team, person, source, dedup_key, created_at } = page;
  const { acknowledged_at, acknowledged_by, resolved_at, resolved_by, expired_at, source_url } = page;
  return JSON.stringify(
    {
      ...{ url, id, title, text, urgency, state, team, person, source, source_url, dedup_key },
      ...{ created_at, acknowledged_at, acknowledged_by, resolved_at, resolved_by, expired_at },
      moments: related.moments,
      timeline,
    },
    null,
    2,
  );
}

/** The address of a page, without the search parameters of the list before it. */
export function pageUrl(id: string): string {
  return `${location.origin}/pages/${id}`;
}
