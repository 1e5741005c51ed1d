import { randomInt } from 'node:crypto';
import type { Credential } from '../keys/key.ts';
import { errorCode } from '../kit/error-text.ts';
import { type Detail, Fault } from '../kit/fault.ts';
import type { Log } from '../kit/log.ts';
import { createShortMemory } from '../kit/short-memory.ts';
import { newId } from '../kit/typeid.ts';
import { unknownFieldWarnings } from '../kit/validation.ts';
import { inLanguage } from '../language/ambient.ts';
import { stored, t } from '../language/contract.ts';
import { readReach } from '../people/contact-store.ts';
import { namesUnreachable } from '../people/reachability.ts';
import { createAcceptor, findRepeated, queuedEnvelope, type Safety } from '../requests/accept.ts';
import type { QueuedEnvelope, RequestKind } from '../requests/contract.ts';
import type { Idempotency } from '../requests/idempotency.ts';
import { KeyBody, type PageBody, TeamPageBody, type Urgency } from './contract.ts';
import { asDrill } from './drill.ts';
import { reachesSomebody } from './escalation.ts';
import type { KeyedServices } from './keyed.ts';
import { findPersonTarget, findTeamTarget, insertRefusedPage } from './read-store.ts';
import { lateSteps } from './step-store.ts';
import { turnRankOf } from './store.ts';
import { readEscalation } from './team-escalation.ts';
import { writeKeyed } from './write-keyed.ts';
import { writePages } from './write-pages.ts';

export type PageKind = 'team' | 'person';

export type Raiser = {
  /**
   * Checks the recipient and writes the page; resolves after the commit.
   * @throws Fault when it would reach nobody
   */
  raise(
    kind: PageKind,
    body: PageBody,
    credential: Credential,
    idempotency: Idempotency | null,
    /** The id of the unanswered page that this one repeats. */
    againOf?: string,
  ): Promise<QueuedEnvelope>;
  /**
   * Acknowledges or resolves the open page of a dedup key; resolves after the commit.
   * @throws Fault when the recipient is unknown
   */
  answer(
    action: 'acknowledge' | 'resolve',
    body: KeyBody,
    credential: Credential,
    idempotency: Idempotency | null,
  ): Promise<QueuedEnvelope>;
  /**
   * The id of the team or person that a recipient names.
   * @throws Fault when a page would reach nobody there
   */
  targetOf(kind: PageKind, organizationId: string, recipient: string): Promise<string>;
  /** Problems with a recipient; empty if the page would reach somebody. */
  problemsOf(kind: PageKind, recipient: unknown, credential: Credential): Promise<Detail[]>;
  /** Stores a refused page for the dashboard. */
  keepRefused(kind: PageKind, body: unknown, credential: Credential, fault: Fault): Promise<void>;
};

export type RaiserServices = KeyedServices & {
  log: Log;
  safety?: Safety;
  /** Added to the answer to each page. */
  warnings?: readonly string[];
  /** There are steps to run. */
  wake(): void;
  /** Called after the commit of each new page. */
  counted?(kind: RequestKind): void;
};

export function createRaiser(services: RaiserServices): Raiser {
  const { db, clock, log, counted, warnings = [] } = services;
  const acceptor = createAcceptor(db, writePages(services), services.safety, (handle) =>
    lateSteps(handle, clock),
  );
  const keyed = createAcceptor(db, writeKeyed(services), services.safety, (handle) =>
    lateSteps(handle, clock),
  );
  const findTarget = rememberedTargets(services);

  return {
    async raise(kind, given, credential, idempotency, againOf) {
      const body = asDrill(given);
      const found = await orRepeated(findTarget(kind, credential.organizationId, body.recipient.trim()), {
        ...{ services, credential, idempotency },
      });
      if ('repeated' in found) return found.repeated;
      const requestId = newId('request');
      const envelope = queuedEnvelope(requestId, stored('The page has been queued.'), [
        ...unknownFieldWarnings(body, Object.keys(TeamPageBody.properties)),
        ...warnings,
      ]);
      const key = body.dedup_key;
      const row = pageRow(kind, body, found.target, credential.userId);
      const writing = (key === undefined ? acceptor : keyed).write({
        requestId,
        organizationId: credential.organizationId,
        kind: `page.${kind}`,
        credential: credential.keyId,
        idempotency,
        envelope,
        rank: turnRankOf(row.urgency),
        row:
          key === undefined
            ? { ...row, again_of: againOf ?? null }
            : { ...row, action: 'trigger', dedup_key: key },
      });
      const accepted = await writing.catch(async (error: unknown) => {
        // The recipient was removed after it had been found.
        if (errorCode(error) === FOREIGN_KEY_VIOLATION)
          await findNow(services, kind, credential.organizationId, body.recipient.trim());
        throw error;
      });
      if (!accepted.replayed) counted?.(`page.${kind}`);
      return accepted.envelope;
    },
    async answer(action, body, credential, idempotency) {
      const { recipient, dedup_key } = body;
      const found = await orRepeated(findAnyTarget(services, credential.organizationId, recipient.trim()), {
        ...{ services, credential, idempotency },
      });
      if ('repeated' in found) return found.repeated;
      const { kind, id } = found.target;
      const requestId = newId('request');
      const row = { action, dedup_key, [kind === 'team' ? 'team_id' : 'user_id']: id };
      const accepted = await keyed.write({
        requestId,
        organizationId: credential.organizationId,
        kind: `page.${kind}`,
        credential: credential.keyId,
        idempotency,
        envelope: queuedEnvelope(requestId, ANSWERED[action], [
          ...unknownFieldWarnings(body, Object.keys(KeyBody.properties)),
          ...warnings,
        ]),
        row: { ...row, raised_by: credential.userId },
      });
      return accepted.envelope;
    },
    targetOf: (kind, organizationId, recipient) => findTarget(kind, organizationId, recipient.trim()),
    async problemsOf(kind, recipient, credential) {
      if (typeof recipient !== 'string' || recipient.trim() === '') return [];
      try {
        await findTarget(kind, credential.organizationId, recipient.trim());
        return [];
      } catch (error) {
        if (error instanceof Fault && error.code === 'bad_request') return error.details;
        throw error;
      }
    },
    async keepRefused(kind, body, credential, fault) {
      const refused = {
        id: newId('refused_page'),
        organizationId: credential.organizationId,
        userId: credential.userId,
      };
      const kept = {
        ...refused,
        kind: `page.${kind}` as const,
        body: storable(body),
        // Kept once, for readers of every language.
        details: inLanguage('en', () => fault.details),
      };
      await insertRefusedPage(db, clock, kept).catch((error) =>
        log.warn({ err: error }, 'could not record a refused page'),
      );
    },
  };
}

const ANSWERED = {
  acknowledge: stored(
    'If a page of this dedup key is open, it is acknowledged; look up the request to see it.',
  ),
  resolve: stored('If a page of this dedup key is open, it is resolved; look up the request to see it.'),
} as const;

function pageRow(
  kind: PageKind,
  body: PageBody,
  targetId: string,
  raisedBy: string,
): Record<string, unknown> & { urgency: Urgency } {
  const urgency: Urgency = body.urgency ?? (kind === 'person' ? 'high' : 'medium');
  return {
    id: newId('page'),
    kind,
    [kind === 'team' ? 'team_id' : 'user_id']: targetId,
    title: body.title,
    text: body.text,
    source_url: body.source_url,
    urgency,
    drill: body.drill === true,
    reply_code: String(randomInt(1_000, 10_000)),
    raised_by: raisedBy,
  };
}

type FindTarget = (kind: PageKind, organizationId: string, recipient: string) => Promise<string>;
type TargetServices = Pick<RaiserServices, 'db' | 'clock' | 'means'>;

const FOREIGN_KEY_VIOLATION = '23503';

function rememberedTargets(services: TargetServices): FindTarget {
  // Unreachable recipients throw and are not cached.
  const memory = createShortMemory<string>(() => true);
  return (kind, organizationId, recipient) =>
    memory.get(`${kind} ${organizationId} ${recipient.toLowerCase()}`, () =>
      findNow(services, kind, organizationId, recipient),
    );
}

/** @throws Fault when a page would reach nobody there */
function findNow(
  services: TargetServices,
  kind: PageKind,
  organizationId: string,
  recipient: string,
): Promise<string> {
  return (kind === 'team' ? findTeam : findPerson)(services, organizationId, recipient);
}

/**
 * The id of the team with this slug.
 * @throws Fault when a page would reach nobody there
 */
export async function findTeam(
  services: TargetServices,
  organizationId: string,
  slug: string,
): Promise<string> {
  const { db, clock, means } = services;
  const team = await findTeamTarget(db, clock, organizationId, slug);
  if (!team)
    throw refuse(() =>
      t("names no team: there is none with the slug {slug}; give a team's slug from its settings page", {
        slug: JSON.stringify(slug),
      }),
    );
  const escalation = await readEscalation(db, means, { organizationId, teamId: team.id }, team.now);
  if (!reachesSomebody(escalation))
    throw refuse(() =>
      t(
        'names the team {name}, in which nobody can be reached: none of the people on call, the backstops and the members has an open dashboard or a verified contact method whose channel is set up; add and verify one, or open the dashboard',
        { name: team.name },
      ),
    );
  return team.id;
}

type Repeatable = {
  services: TargetServices;
  credential: Credential;
  idempotency: Idempotency | null;
};

/**
 * The recipient of a page. If it is refused and the request repeats one that was accepted: the first answer, because the
 * page exists whatever has become of its recipient.
 */
async function orRepeated<Target>(
  finding: Promise<Target>,
  { services: { db, clock }, credential, idempotency }: Repeatable,
): Promise<{ target: Target } | { repeated: QueuedEnvelope }> {
  try {
    return { target: await finding };
  } catch (refusal) {
    const refused = refusal instanceof Fault && refusal.code === 'bad_request';
    const repeated = refused && idempotency && (await findRepeated(db, clock, credential.keyId, idempotency));
    if (!repeated) throw refusal;
    return { repeated };
  }
}

/** The team of this slug or the person of this address, whether or not a page would reach anybody there. */
async function findAnyTarget(
  { db, clock }: TargetServices,
  organizationId: string,
  recipient: string,
): Promise<{ kind: PageKind; id: string }> {
  const team = await findTeamTarget(db, clock, organizationId, recipient);
  if (team) return { kind: 'team', id: team.id };
  const person = await findPersonTarget(db, clock, organizationId, recipient);
  if (person) return { kind: 'person', id: person.id };
  throw refuse(() =>
    t(
      'is {recipient}, which is neither the slug of a team nor the email address of a person; give the recipient of the page',
      { recipient: JSON.stringify(recipient) },
    ),
  );
}

async function findPerson(services: TargetServices, organizationId: string, email: string): Promise<string> {
  const { db, clock, means } = services;
  const person = await findPersonTarget(db, clock, organizationId, email);
  if (!person)
    throw refuse(() =>
      t(
        'names nobody: there is no person with the email address {email}; give the address of somebody in your organization',
        { email: JSON.stringify(email) },
      ),
    );
  const reach = (await readReach(db, [person.id], means)).get(person.id);
  if (!reach?.reachable) throw refuse(() => namesUnreachable(person.name, reach));
  return person.id;
}

function refuse(message: () => string): Fault {
  return new Fault('bad_request', [{ field: 'recipient', message }]);
}

/** PostgreSQL's JSON cannot contain U+0000, but a refused body may. */
function storable(body: unknown): unknown {
  const text = JSON.stringify(body ?? null).replaceAll('\\u0000', '�');
  return text.length > 20_000 ? { cut: text.slice(0, 20_000) } : (JSON.parse(text) as unknown);
}
