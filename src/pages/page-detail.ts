import type { Database } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { instantText } from '../kit/instant.ts';
import { t } from '../language/contract.ts';
import type { Means } from '../people/reachability.ts';
import { peopleById } from '../people/store.ts';
import type { Viewer } from '../sessions/contract.ts';
import type { PageDetail, PageListQuery, PageSummary, UpcomingEntry } from './api-contract.ts';
import { readPageList } from './listing.ts';
import { inWords } from './own-texts-contract.ts';
import { forecastOfPage } from './page-forecast.ts';
import { mayAct, maySilence } from './policy.ts';
import { findPage, findRelated, findTimelineRows, type PageWithRelation } from './read-store.ts';
import { buildTimeline, peopleIn, proofOf, upcomingAttempts } from './timeline.ts';

export async function readPages(db: Database, viewer: Viewer, which: PageListQuery): Promise<PageSummary[]> {
  return (await readPageList(db, viewer, which)).map((page) => presentPage(page, viewer));
}

/** One page of the viewer's organization, as in lists; null if there is none. */
export async function readPage(db: Database, viewer: Viewer, pageId: string): Promise<PageSummary | null> {
  const page = await findPage(db, viewer, pageId);
  return page && presentPage(page, viewer);
}

/** A page with its timeline and the forecast of its next steps. */
export async function readPageDetail(
  { db, means }: { db: Database; means: Means },
  viewer: Viewer,
  pageId: string,
): Promise<PageDetail | null> {
  const page = await readPage(db, viewer, pageId);
  if (!page) return null;
  const rows = await findTimelineRows(db, viewer.organizationId, pageId);
  const { steps } = await forecastOfPage({ db, means }, viewer.organizationId, page);
  const forecastIds = steps.flatMap((step) => (step.kind === 'notify' ? step.userIds : []));
  const people = await peopleById(db, viewer.organizationId, [...peopleIn(rows), ...forecastIds]);
  const timeline = buildTimeline(rows, people);
  const notifications = steps.map((step): UpcomingEntry => {
    const at = instantText(step.at);
    if (step.kind === 'expire') return { at, kind: 'expire' };
    const { as, stage, round } = step;
    return {
      at,
      kind: 'notify',
      as,
      stage,
      round,
      people: step.userIds.flatMap((id) => people.get(id) ?? []),
    };
  });
  const upcoming = page.state === 'notifying' ? [...upcomingAttempts(rows, people), ...notifications] : [];
  return {
    page,
    related: await findRelated(db, viewer.organizationId, pageId),
    timeline,
    upcoming: upcoming.toSorted((a, b) => a.at.localeCompare(b.at)),
    proof: proofOf(timeline),
  };
}

function presentPage({ relation, ...page }: PageWithRelation, viewer: Viewer): PageSummary {
  return {
    ...inWords(page),
    mine: relation.notified,
    may_act: mayAct(viewer.role, relation),
    may_silence: maySilence(viewer.role, relation),
  };
}

export function unknownPage(): Fault {
  return new Fault('not_found', [
    { field: 'page', message: t('is not a page of your organization; see /api/pages') },
  ]);
}
