import type { Interval } from '../kit/interval.ts';
import { spanText } from '../schedules/span-text.ts';
import type { StoredCover } from './cover-store.ts';
import type { CoverEvent } from './events.ts';
import { ifText, isOn, takersText } from './proposal-words.ts';

/** A notice to one person about one event. */
export type Told = { userId: string; kind: string; subject: string; text: string };

export type Telling = {
  schedule: { name: string };
  /** The managers of the schedule's team, or its members if it has none. */
  caretakers: readonly string[];
  nameOf(userId: string | null): string;
  zoneOf(userId: string): string;
};

/** The notices for an event, without one to the person who caused it. */
export function tellingsOf(event: CoverEvent, telling: Telling): Told[] {
  const told = TELLINGS[event.kind](event, telling);
  const seen = new Set<string | null>([event.by]);
  return told.filter(({ userId }) => !seen.has(userId) && seen.add(userId));
}

type Tell = (event: CoverEvent, telling: Telling) => Told[];

const TELLINGS: Record<CoverEvent['kind'], Tell> = {
  opened: (event, telling) => [
    ...asked(event, telling),
    ...opened(event, telling),
    ...nobody(event, telling),
  ],
  proposed: (event, telling) => [...asked(event, telling), ...nobody(event, telling)],
  applied: changed,
  taken: (event, telling) => [...changed(event, telling), ...notNeeded(event, telling)],
  withdrawn: (event, telling) =>
    event.before?.state === 'applied' ? takenBack(event, telling) : notNeeded(event, telling),
  expired: () => [],
};

function opened({ cover }: CoverEvent, telling: Telling): Told[] {
  const { userId, proposal } = cover;
  const why = cover.cause === 'absence' ? 'You are away during' : 'Somebody is looked for to take';
  const names = { nameOf: telling.nameOf, timeZone: telling.zoneOf(userId) };
  const who = proposal
    ? `${takersText(cover, names)} could take it${ifText(cover, names)}${proposal.moves.length === 1 ? ', and was asked' : '; they were asked'}.`
    : 'Nobody is proposed yet.';
  const subject = `Somebody is looked for to take your shift in ${telling.schedule.name}`;
  const text = `${why} your shift in ${place(cover, telling, userId)}. ${who} Until somebody has it, you stay on call.`;
  return [{ userId, kind: 'cover.opened', subject, text }];
}

/** Notices to people who were not asked before. */
function asked({ cover, before }: CoverEvent, telling: Telling): Told[] {
  const known = new Set(before?.proposal?.moves.map(({ gains }) => gains));
  const moves = (cover.proposal?.moves ?? []).filter(({ gains }) => !known.has(gains));
  const loser = telling.nameOf(cover.userId);
  return moves.map((move) => {
    const because = cover.cause === 'absence' ? `${loser} is away` : `${loser} asks for somebody`;
    const instead = isOn(move, cover)
      ? ''
      : `, so that ${telling.nameOf(gainerOf(cover))} can take ${loser}'s shift`;
    return {
      userId: move.gains,
      kind: 'cover.asked',
      subject: `Can you take a shift in ${telling.schedule.name}?`,
      text: `${because}${said(cover.note)}. Can you be on call in ${place(move, telling, move.gains)}${instead}? Take it or decline it in the dashboard.`,
    };
  });
}

function said(note: string): string {
  return note === '' ? '' : ` (“${note}”)`;
}

function gainerOf(cover: StoredCover): string | null {
  return cover.proposal?.moves.find((move) => isOn(move, cover))?.gains ?? null;
}

/** Nobody could be proposed: notifies the team's managers. */
function nobody({ cover }: CoverEvent, telling: Telling): Told[] {
  if (cover.proposal) return [];
  return telling.caretakers.map((userId) => ({
    userId,
    kind: 'cover.open',
    subject: `Nobody can be proposed for a shift in ${telling.schedule.name}`,
    text: `${telling.nameOf(cover.userId)} cannot be on call in ${place(cover, telling, userId)}, and every other member is away, on call already, or said no. Find somebody, or change the absence.`,
  }));
}

function changed(event: CoverEvent, telling: Telling): Told[] {
  const moves = event.cover.proposal?.moves ?? [];
  const lead = event.by === null ? '' : `${telling.nameOf(event.by)} arranged it. `;
  return moves.flatMap((move) => {
    const gains = {
      userId: move.gains,
      kind: 'shift.gained',
      subject: `You are on call in ${telling.schedule.name}`,
      text: `You are on call in ${place(move, telling, move.gains)} instead of ${telling.nameOf(move.loses)}. ${lead}`.trim(),
    };
    if (move.loses === null) return [gains];
    const text = `${telling.nameOf(move.gains)} is on call instead of you in ${place(move, telling, move.loses)}. ${lead}`;
    const subject = `${telling.nameOf(move.gains)} takes your shift in ${telling.schedule.name}`;
    return [gains, { userId: move.loses, kind: 'shift.lost', subject, text: text.trim() }];
  });
}

/** Notices to people who were asked before and are no longer needed. */
function notNeeded({ cover, before }: CoverEvent, telling: Telling): Told[] {
  if (before?.state !== 'proposed') return [];
  const now = new Set(cover.state === 'taken' ? cover.proposal?.moves.map(({ gains }) => gains) : []);
  return (before.proposal?.moves ?? [])
    .filter(({ gains }) => !now.has(gains))
    .map(({ gains }) => ({
      userId: gains,
      kind: 'cover.settled',
      subject: `You need not take the shift in ${telling.schedule.name}`,
      text: `${cover.state === 'taken' ? `${telling.nameOf(cover.takenBy)} takes` : 'Nobody needs to take'} ${telling.nameOf(cover.userId)}'s shift in ${place(cover, telling, gains)}.`,
    }));
}

function takenBack({ cover }: CoverEvent, telling: Telling): Told[] {
  return (cover.proposal?.moves ?? []).flatMap((move) => {
    const subject = `A cover in ${telling.schedule.name} was taken back`;
    const gained = `You are not on call in ${place(move, telling, move.gains)} any more: ${telling.nameOf(cover.userId)} is not away then.`;
    const told = [{ userId: move.gains, kind: 'shift.lost', subject, text: gained }];
    if (move.loses === null) return told;
    const text = `You are on call again in ${place(move, telling, move.loses)}.`;
    return [...told, { userId: move.loses, kind: 'shift.gained', subject, text }];
  });
}

function place(span: Interval & { stage: number }, { schedule, zoneOf }: Telling, reader: string): string {
  return `${schedule.name}, stage ${span.stage}, ${spanText(span, zoneOf(reader))}`;
}
