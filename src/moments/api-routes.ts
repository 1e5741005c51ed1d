import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../db/clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { Fault } from '../kit/fault.ts';
import { parseInstant } from '../kit/instant.ts';
import { type RequestOf, route } from '../kit/route.ts';
import { t } from '../language/contract.ts';
import { teamOf } from '../people/find-team.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { type MomentListQuery, type MomentSummary, momentsApi } from './api-contract.ts';
import { readMoments } from './listing.ts';
import {
  acknowledgeMoment,
  type MomentResult,
  type ReopenResult,
  reopenMoment,
  resolveMoment,
} from './people-actions.ts';
import { mayAct, maySilence } from './policy.ts';
import { facetQuery, wordQuery } from './search.ts';
import {
  findMoment,
  findMomentHistory,
  insertComment,
  type ListedMoment,
  linkPage,
  type MomentFilter,
  type MomentPart,
  unlinkPage,
  type WholeMoment,
} from './store.ts';

export type MomentApiServices = { db: Database; clock: Clock };

/** Moments: list, search, show with their history, and the actions of people. */
export function momentApiRoutes(api: FastifyInstance, { db, clock }: MomentApiServices): void {
  route(
    api,
    momentsApi.list,
    async (request) => {
      const viewer = viewerOf(request);
      const { query } = request;
      const words = wordQuery(query.text ?? '');
      if (words === null && /\S/.test(query.text ?? '')) return { moments: [], has_more: false };
      const filter = await filterOf(viewer, query, words);
      const rows = await readMoments(db, viewer, filter);
      const moments = rows.slice(0, query.limit).map((row) => present(row, viewer));
      return { moments, has_more: rows.length > query.limit };
    },
    { preValidation: readLists },
  );

  route(api, momentsApi.find, async (request) => {
    const viewer = viewerOf(request);
    const { description, ...row } = await momentOf(viewer, request.params.id);
    const history = await findMomentHistory(db, viewer.organizationId, row.id);
    return { moment: { ...present(row, viewer), description }, ...history };
  });

  route(api, momentsApi.acknowledge, (request) =>
    acting(request, async (tx, at, { actor, moment }) =>
      acknowledged(await acknowledgeMoment(tx, at, actor, moment.id), moment),
    ),
  );
  route(api, momentsApi.resolve, (request) =>
    acting(request, async (tx, at, { actor, moment }) =>
      resolved(await resolveMoment(tx, at, actor, moment.id)),
    ),
  );
  route(api, momentsApi.reopen, (request) =>
    acting(request, async (tx, at, { actor, moment }) =>
      reopening(await reopenMoment(tx, at, actor, moment.id)),
    ),
  );
  route(api, momentsApi.comment, (request) =>
    acting(request, async (tx, at, { actor }) => {
      await insertComment(tx, at, actor, request.body.text);
      return { changed: true, message: t('Comment added.') };
    }),
  );
  route(api, momentsApi.linkPage, (request) =>
    acting(request, async (tx, at, { actor }) => {
      const { page } = request.body;
      const outcome = await linkPage(tx, at, actor, page);
      if (outcome === 'unknown') throw unknownPage(page);
      return outcome === 'linked'
        ? { changed: true, message: t('Linked.') }
        : { changed: false, message: t('They are linked already.') };
    }),
  );
  route(api, momentsApi.unlinkPage, (request) =>
    acting(request, async (tx, _, { actor }) => {
      const changed = await unlinkPage(tx, actor.organizationId, actor.momentId, request.params.page);
      return { changed, message: changed ? t('No longer linked.') : t('They were not linked.') };
    }),
  );

  type Doing = { actor: MomentPart; moment: WholeMoment };

  /** Acts on a moment: finds it, checks the viewer's rights, acts, and returns the moment after that. */
  async function acting(
    request: RequestOf<typeof momentsApi.resolve>,
    act: (tx: Tx, at: Temporal.Instant, doing: Doing) => Promise<{ changed: boolean; message: string }>,
  ) {
    const viewer = viewerOf(request);
    const { organizationId, userId } = viewer;
    const moment = await momentOf(viewer, request.params.id);
    if (!mayAct(viewer.role, moment)) throw notOfTheTeam(moment);
    const actor = { organizationId, userId, momentId: moment.id };
    const result = await db
      .transaction()
      .execute(async (tx) => act(tx, await clock.now(tx), { actor, moment }));
    const { description: _, ...now } = await momentOf(viewer, moment.id);
    return { ...result, moment: present(now, viewer) };
  }

  async function momentOf(viewer: Viewer, id: string): Promise<WholeMoment> {
    const moment = await findMoment(db, viewer, id);
    if (!moment) throw unknownMoment();
    return moment;
  }

  async function filterOf(
    viewer: Viewer,
    { type, priority, state, team, source, webhook, person, from, to, before, limit }: MomentListQuery,
    words: string | null,
  ): Promise<Omit<MomentFilter, 'among'>> {
    const teamId = team === undefined ? null : (await teamOf(db, viewer, team)).id;
    const facets = facetQuery({
      ...(type ? { type } : {}),
      ...(priority ? { priority } : {}),
      ...(source === undefined ? {} : { source }),
    });
    return {
      ...{ words, facets, limit: limit + 1 },
      states: state ?? null,
      ...{ teamId, webhookId: webhook ?? null, personId: person ?? null, before: before ?? null },
      from: from === undefined ? null : parseInstant(from),
      to: to === undefined ? null : parseInstant(to),
    };
  }
}

function present({ ofTheTeam, ofSource, ...moment }: ListedMoment, { role }: Viewer): MomentSummary {
  return {
    ...moment,
    may_act: mayAct(role, { ofTheTeam }),
    may_silence: ofSource && maySilence(role, { ofTheTeam }),
  };
}

function acknowledged(result: MomentResult, { acknowledged_by: by, acknowledged_as: named }: WholeMoment) {
  if (!result) throw unknownMoment();
  const { changed, was } = result;
  if (changed) return { changed, message: t('Acknowledged.') };
  if (was === 'resolved') return { changed, message: t('The moment was resolved already.') };
  const name = by?.name ?? named;
  return {
    changed,
    message: name
      ? t('{name} has acknowledged it already.', { name })
      : t('Its sender has acknowledged it already.'),
  };
}

function resolved(result: MomentResult) {
  if (!result) throw unknownMoment();
  const { changed } = result;
  return { changed, message: changed ? t('Resolved.') : t('The moment was resolved already.') };
}

function reopening(result: ReopenResult): { changed: boolean; message: string } {
  if (!result) throw unknownMoment();
  switch (result) {
    case 'reopened':
      return { changed: true, message: t('Reopened.') };
    case 'reopened_after_its_sender':
      return {
        changed: true,
        message: t(
          'Reopened. Its sender has already reported the end and might not report it again; resolve the moment yourself.',
        ),
      };
    case 'not_over':
      return { changed: false, message: t('The moment is not resolved.') };
    case 'newer':
      return {
        changed: false,
        message: t('A newer moment has reported this again; act on the newer one.'),
      };
  }
}

const LISTS = ['type', 'priority', 'state'];

/** Lists in a query are separated by commas or given several times. */
async function readLists(request: FastifyRequest): Promise<void> {
  const query: Record<string, unknown> = { ...(request.query as object) };
  for (const name of LISTS) {
    const given = [query[name] ?? []].flat();
    if (given.length > 0) query[name] = given.flatMap((text) => String(text).split(','));
  }
  request.query = query;
}

function unknownMoment(): Fault {
  return new Fault('not_found', [
    { field: 'moment', message: t('is not a moment of your organization; see /api/moments') },
  ]);
}

function unknownPage(page: string): Fault {
  const message = t('is {page}, which is not a page of your organization; see /api/pages', {
    page: JSON.stringify(page),
  });
  return new Fault('bad_request', [{ field: 'page', message }]);
}

function notOfTheTeam({ team }: WholeMoment): Fault {
  return new Fault('forbidden', [
    {
      field: 'moment',
      message: t('belongs to the team {name}; ask one of its members, an admin or an owner', {
        name: team.name,
      }),
    },
  ]);
}
