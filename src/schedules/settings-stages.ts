import type { Detail } from '../kit/fault.ts';
import { t } from '../language/contract.ts';
import { type LayerDefinition, type StageDefinition, type StageLink, wholeStage } from './definition.ts';
import { parsePattern } from './pattern.ts';
import type { ScheduleBody } from './settings-contract.ts';
import { below, type Known } from './settings-reading.ts';

export type StageBody = NonNullable<ScheduleBody['stages']>[number];
type LayerBody = NonNullable<StageBody['layers']>[number];

const DEFAULT_DELAY_MINUTES = 5;
const MOST_SEATS = 20;

/** Ids of the people in a stage of a body. */
export function mentionedMembers({ members, layers }: StageBody): string[] {
  return [...(members ?? []), ...(layers ?? []).flatMap((layer) => layer.members)];
}

/** Reads a stage from a body. Without layers in the body, an existing stage keeps its layers. */
export function readStage(
  body: StageBody,
  index: number,
  all: readonly StageBody[],
  known: Known,
): { stage: StageDefinition; problems: Detail[] } {
  const field = `stages[${index}]`;
  const before = known.before?.stages.find(({ stage }) => stage === body.stage);
  const read = body.layers?.map((layer, at) => readLayer(layer, `${field}.layers[${at}]`, known));
  const layers = read?.map(({ layer }) => layer) ?? before?.layers ?? [];
  const minutes = body.escalate_after_minutes ?? DEFAULT_DELAY_MINUTES;
  const stage = wholeStage({
    stage: body.stage,
    memberIds: body.members ?? before?.memberIds ?? [],
    escalateAfterSeconds: Math.round(minutes * 60),
    seats: body.seats ?? before?.seats ?? 1,
    layers,
    linkedTo: linkOf(body, before),
  });
  const problems = [
    ...repeated(body.stage, index, all),
    ...memberProblems(field, body.members ?? [], known),
    ...(read ?? []).flatMap((one) => one.problems),
    ...tooMany(field, stage.seats),
    ...linkedWithMembers(field, body, stage),
  ];
  return { stage, problems };
}

function linkOf({ linked_to, ...body }: StageBody, before?: StageDefinition): StageLink | null {
  if (linked_to) return { scheduleId: linked_to.schedule, stage: linked_to.stage };
  return linked_to === undefined && mentionedMembers(body).length === 0 ? (before?.linkedTo ?? null) : null;
}

function linkedWithMembers(field: string, body: StageBody, { linkedTo }: StageDefinition): Detail[] {
  if (!linkedTo || mentionedMembers(body).length === 0) return [];
  const message = t(
    'names people, but a linked stage uses the people of the other schedule; leave one of them out',
  );
  return [{ field: `${field}.${body.members?.length ? 'members' : 'layers'}`, message }];
}

function readLayer(
  { name, time_zone, shifts, members, seats }: LayerBody,
  field: string,
  known: Known,
): { layer: LayerDefinition; problems: Detail[] } {
  const read = shifts === undefined || shifts === null ? null : parsePattern(shifts);
  const pattern = read && 'pattern' in read ? read.pattern : null;
  return {
    layer: { name: name.trim(), timeZone: time_zone ?? null, pattern, memberIds: members, seats: seats ?? 1 },
    problems: [
      ...(read && 'problems' in read ? below(`${field}.shifts`, read.problems) : []),
      ...memberProblems(field, members, known),
    ],
  };
}

function repeated(stage: number, index: number, all: readonly StageBody[]): Detail[] {
  if (all.findIndex((other) => other.stage === stage) === index) return [];
  const message = t('is {stage}, which another stage has; give another number', { stage });
  return [{ field: `stages[${index}].stage`, message }];
}

function tooMany(field: string, seats: number): Detail[] {
  if (seats <= MOST_SEATS) return [];
  const message = t('have {seats} people on call at once; give at most {most} in all layers together', {
    seats,
    most: MOST_SEATS,
  });
  return [{ field: `${field}.layers`, message }];
}

function memberProblems(field: string, members: readonly string[], { people }: Known): Detail[] {
  const problems: Detail[] = [];
  const strangers = members.filter((id) => !people.has(id)).length;
  if (strangers > 0) {
    const message = t(
      'names {count, plural, one {a person} other {# people}} who cannot be on call, because they are disabled or not in your organization; choose others',
      { count: strangers },
    );
    problems.push({ field: `${field}.members`, message });
  }
  if (new Set(members).size < members.length)
    problems.push({ field: `${field}.members`, message: t('names a person twice; name each person once') });
  return problems;
}
