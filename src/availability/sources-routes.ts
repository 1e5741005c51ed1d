import type { FastifyInstance } from 'fastify';
import { calendarUrl } from '../calendars/fetching.ts';
import type { CalendarPlace, FoundEvents } from '../calendars/following.ts';
import { unreadable } from '../calendars/unreadable.ts';
import type { Tx } from '../db/database.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import { instantText, instantTextOrNull } from '../kit/instant.ts';
import { knownFields } from '../kit/known-fields.ts';
import { route } from '../kit/route.ts';
import { newId } from '../kit/typeid.ts';
import { t } from '../language/contract.ts';
import { storedTextOrNull } from '../language/stored.ts';
import { audit, peopleById } from '../people/store.ts';
import { closeProblems, noteProblem } from '../problems/store.ts';
import { type Viewer, viewerOf } from '../sessions/contract.ts';
import { mustOwnNames } from './policy.ts';
import {
  checkSource,
  findAbsences,
  placeOf,
  problemOf,
  type SourceServices,
  saveFound,
  sourceSubject,
} from './sources.ts';
import {
  type NewSourceBody,
  SourceChangeBody,
  type SourceShown,
  sourcesApi,
  USUAL_WORDS,
} from './sources-api-contract.ts';
import { mayManageSources } from './sources-policy.ts';
import {
  countSources,
  deleteSource,
  followPrivacy,
  insertSource,
  type ListedSource,
  listSources,
  lockSource,
  removeRecords,
  type SourceValues,
  updateSource,
} from './sources-store.ts';

const MOST_SOURCES = 10;

/** Calendars from which absences are read: list, create, change, read now, delete. */
export function availabilitySourceRoutes(api: FastifyInstance, services: SourceServices): void {
  const { db, clock, sealing } = services;

  route(api, sourcesApi.list, async (request) => {
    const viewer = viewerOf(request);
    const userId = await ownerOf(viewer, request.query.person);
    const sources = await listSources(db, viewer.organizationId, { userId });
    return { sources: sources.map(presentSource) };
  });

  route(api, sourcesApi.find, async (request) => show(viewerOf(request), request.params.id));

  route(api, sourcesApi.create, async (request, reply) => {
    const viewer = viewerOf(request);
    const body = request.body;
    const userId = await ownerOf(viewer, body.person);
    const place = placeIn(body);
    if (!place) throw wrongPlace();
    const found = await readable(userId, place);
    const id = await db.transaction().execute((tx) => create(tx, viewer, userId, body, place, found));
    reply.code(201);
    return show(viewer, id);
  });

  route(api, sourcesApi.change, async (request) => {
    const viewer = viewerOf(request);
    const body = request.body;
    const source = await sourceOf(viewer, request.params.id);
    const moved = placeIn(body);
    const at = await clock.now(db);
    if (source.private && body.private === false)
      mustOwnNames(viewer, { id: source.user_id, name: source.personName });
    // A calendar can be made private even if it cannot be read.
    const isOnlyNamed = Object.keys(body).every((key) => key === 'name' || key === 'private');
    // Other events may count as absences after the change, so read the whole calendar.
    const place = moved ?? withoutEtag(placeOf(sealing, source, at));
    const found = isOnlyNamed ? null : await readable(source.user_id, place);
    await db.transaction().execute((tx) => change(tx, viewer, source.id, body, moved, found));
    return show(viewer, source.id);
  });

  route(api, sourcesApi.check, async (request) => {
    const viewer = viewerOf(request);
    const source = await sourceOf(viewer, request.params.id);
    await checkSource(services, { ...source, etag: null });
    return show(viewer, source.id);
  });

  route(api, sourcesApi.remove, async (request) => {
    const viewer = viewerOf(request);
    const { id } = await sourceOf(viewer, request.params.id);
    await db.transaction().execute(async (tx) => {
      const source = await lockSource(tx, viewer.organizationId, id);
      if (!source) throw unknownSource();
      const at = await clock.now(tx);
      const removed = await removeRecords(tx, at, id);
      await deleteSource(tx, id);
      await closeProblems(tx, clock, [sourceSubject(id)]);
      await audit(tx, at, viewer, 'availability-source.delete', id, { name: source.name, removed });
    });
    return { removed: true };
  });

  async function show(viewer: Viewer, id: string): Promise<SourceShown> {
    return presentSource(await sourceOf(viewer, id));
  }

  async function sourceOf(viewer: Viewer, id: string): Promise<ListedSource> {
    const [source] = await listSources(db, viewer.organizationId, { id });
    if (!source || !mayManageSources(viewer, source.user_id)) throw unknownSource();
    return source;
  }

  /** The person whose sources the request is about: the viewer, or somebody whose sources the viewer may manage. */
  async function ownerOf(viewer: Viewer, person: string | undefined): Promise<string> {
    const userId = person ?? viewer.userId;
    if (!mayManageSources(viewer, userId))
      throw new Fault('forbidden', [
        {
          field: 'person',
          message: t(
            'is another person, whose calendars only they, admins and owners may see; ask one of them',
          ),
        },
      ]);
    if ((await peopleById(db, viewer.organizationId, [userId])).has(userId)) return userId;
    throw new Fault('bad_request', [
      { field: 'person', message: t('is not a person of your organization; see /api/people') },
    ]);
  }

  /**
   * Reads the events at a given place. @throws Fault `bad_request` if they cannot be read, so that the user can fix it
   * now
   */
  async function readable(userId: string, place: CalendarPlace): Promise<FoundEvents> {
    const found = await findAbsences(services, await clock.now(db), userId, place);
    if (found === 'unchanged' || !('error' in found)) return found;
    throw unreadable('url' in place ? 'url' : 'ics', found.error);
  }

  async function create(
    tx: Tx,
    viewer: Viewer,
    userId: string,
    body: NewSourceBody,
    place: CalendarPlace,
    found: FoundEvents,
  ): Promise<string> {
    const at = await clock.now(tx);
    if ((await countSources(tx, userId, 'calendars')) >= MOST_SOURCES)
      throw new Fault('bad_request', [
        {
          field: 'url',
          message: t('exceeds the limit of {most} calendars for one person; remove one first', {
            most: MOST_SOURCES,
          }),
        },
      ]);
    const id = newId('availability_source');
    const stored = storedPlace(place);
    await insertSource(tx, at, {
      ...{ id, organization_id: viewer.organizationId, user_id: userId, created_by: viewer.userId },
      ...stored,
      name: body.name?.trim() ?? stored.host ?? 'A file',
      type: body.type ?? 'hard_unavailable',
      events: body.events ?? 'words',
      words: wordsOf(body.words ?? USUAL_WORDS),
      private: body.private ?? false,
      etag: null,
    });
    await follow(tx, viewer, id, found);
    await audit(tx, at, viewer, 'availability-source.create', id, { person: userId, host: stored.host });
    return id;
  }

  async function change(
    tx: Tx,
    viewer: Viewer,
    id: string,
    body: SourceChangeBody,
    moved: CalendarPlace | null,
    found: FoundEvents | null,
  ): Promise<void> {
    if (!(await lockSource(tx, viewer.organizationId, id))) throw unknownSource();
    const at = await clock.now(tx);
    await updateSource(tx, at, id, {
      ...(body.name === undefined ? {} : { name: body.name.trim() }),
      ...(body.type === undefined ? {} : { type: body.type }),
      ...(body.events === undefined ? {} : { events: body.events }),
      ...(body.words === undefined ? {} : { words: wordsOf(body.words) }),
      ...(body.private === undefined ? {} : { private: body.private }),
      ...(moved ? storedPlace(moved) : {}),
    });
    if (found) await follow(tx, viewer, id, found);
    else await showAgain(tx, viewer, id);
    await audit(tx, at, viewer, 'availability-source.change', id, {
      changed: Object.keys(knownFields(SourceChangeBody, body)),
    });
  }

  /** The names of the calendar in other records, after its name or privacy changed. */
  async function showAgain(tx: Tx, viewer: Viewer, id: string): Promise<void> {
    const source = await lockSource(tx, viewer.organizationId, id);
    if (!source) return;
    await followPrivacy(tx, source);
    if (source.error !== null) await noteProblem(tx, clock, problemOf(source, source.error));
  }

  async function follow(tx: Tx, viewer: Viewer, id: string, found: FoundEvents): Promise<void> {
    const source = await lockSource(tx, viewer.organizationId, id);
    if (source) await saveFound(tx, clock, await clock.now(tx), source, found);
  }

  function storedPlace(place: CalendarPlace): Pick<SourceValues, 'url_sealed' | 'host' | 'content'> {
    if ('content' in place) return { url_sealed: null, host: null, content: place.content };
    return { url_sealed: sealing.seal(place.url.href), host: place.url.host, content: null };
  }
}

/** Null if neither an address nor a file was given. */
function placeIn({ url, ics }: SourceChangeBody): CalendarPlace | null {
  if (url !== undefined && ics !== undefined) throw wrongPlace();
  if (ics !== undefined) return { content: ics.replaceAll('\u0000', '') };
  if (url === undefined) return null;
  const address = calendarUrl(url);
  if (address) return { url: address, etag: null };
  const message = t('is {url}; give the http or https address of an iCalendar file', {
    url: JSON.stringify(url.slice(0, 100)),
  });
  throw new Fault('bad_request', [{ field: 'url', message }]);
}

function withoutEtag(place: CalendarPlace): CalendarPlace {
  return 'url' in place ? { ...place, etag: null } : place;
}

function wordsOf(words: readonly string[]): string[] {
  return [...new Set(words.map((word) => word.trim()).filter(Boolean))];
}

function presentSource(source: ListedSource): SourceShown {
  const { id, name, host, type, events, words, truncated, error, private: isPrivate } = source;
  return {
    ...{ id, name, host, type, events, words, truncated },
    error: storedTextOrNull(error),
    private: isPrivate,
    person: { id: source.user_id, name: source.personName, email: source.personEmail },
    record_count: source.records,
    checked_at: instantTextOrNull(source.checked_at),
    succeeded_at: instantTextOrNull(source.succeeded_at),
    created_at: instantText(source.created_at),
  };
}

function wrongPlace(): Fault {
  const details: Detail[] = [
    {
      field: 'url',
      message: t('or ics is required; give the address of a calendar, or the text of a file'),
    },
  ];
  return new Fault('bad_request', details);
}

function unknownSource(): Fault {
  return new Fault('not_found', [
    {
      field: 'source',
      message: t('is not a calendar of absences that you may see; see /api/availability-sources'),
    },
  ]);
}
