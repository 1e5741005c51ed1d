import type { Interval } from '../kit/interval.ts';
import { spanText } from '../schedules/span-text.ts';
import type { StoredCover } from './cover-store.ts';
import type { CoverEvent } from './events.ts';
import { ifText, isOn, takersText } from './proposal-words.ts';

/** A notice to one person about one event. */
export type ShiftNotice = { userId: string; kind: string; subject: string; text: string };

export type NoticeContext = {
  schedule: { name: string };
  /** The managers of the schedule's team, or its members if it has none. */
  caretakers: readonly string[];
  nameOf(userId: string | null): string;
  zoneOf(userId: string): string;
};

/** The notices for an event, without one to the person who caused it. */
export function noticesOf(event: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const notices = NOTICES[event.kind](event, context);
  const seen = new Set<string | null>([event.by]);
  return notices.filter(({ userId }) => !seen.has(userId) && seen.add(userId));
}

type NoticesOfKind = (event: CoverEvent, context: NoticeContext) => ShiftNotice[];

const NOTICES: Record<CoverEvent['kind'], NoticesOfKind> = {
  opened: (event, context) => [
    ...asked(event, context),
    ...opened(event, context),
    ...nobody(event, context),
  ],
  proposed: (event, context) => [...asked(event, context), ...nobody(event, context)],
  applied: changed,
  taken: (event, context) => [...changed(event, context), ...notNeeded(event, context)],
  withdrawn: (event, context) =>
    event.before?.state === 'applied' ? takenBack(event, context) : notNeeded(event, context),
  expired: () => [],
};

function opened({ cover }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const { userId, proposal } = cover;
  const why = cover.cause === 'absence' ? 'You are away during' : 'A replacement is wanted for';
  const names = { nameOf: context.nameOf, timeZone: context.zoneOf(userId) };
  const who = proposal
    ? `${takersText(cover, names)} could take it${ifText(cover, names)}, and ${proposal.moves.length === 1 ? 'was' : 'were'} asked to.`
    : 'Nobody is proposed yet.';
  const subject = `A replacement is wanted for your shift in ${context.schedule.name}`;
  const text = `${why} your shift in ${place(cover, context, userId)}. ${who} Until somebody has it, you stay on call.`;
  return [{ userId, kind: 'cover.opened', subject, text }];
}

/** Notices to people who were not asked before. */
function asked({ cover, before }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const known = new Set(before?.proposal?.moves.map(({ gains }) => gains));
  const moves = (cover.proposal?.moves ?? []).filter(({ gains }) => !known.has(gains));
  const loser = context.nameOf(cover.userId);
  return moves.map((move) => {
    const because = cover.cause === 'absence' ? `${loser} is away` : `${loser} asks for somebody`;
    const instead = isOn(move, cover)
      ? ''
      : `, so that ${context.nameOf(gainerOf(cover))} can take ${loser}'s shift`;
    return {
      userId: move.gains,
      kind: 'cover.asked',
      subject: `Can you take a shift in ${context.schedule.name}?`,
      text: `${because}${said(cover.note)}. Can you be on call in ${place(move, context, move.gains)}${instead}? Take it or decline it in the dashboard.`,
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
function nobody({ cover }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  if (cover.proposal) return [];
  return context.caretakers.map((userId) => ({
    userId,
    kind: 'cover.open',
    subject: `Nobody can be proposed for a shift in ${context.schedule.name}`,
    text: `${context.nameOf(cover.userId)} cannot be on call in ${place(cover, context, userId)}, and every other member is away, on call already, or said no. Find somebody, or change the absence.`,
  }));
}

function changed(event: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const moves = event.cover.proposal?.moves ?? [];
  const lead = event.by === null ? '' : `${context.nameOf(event.by)} arranged it. `;
  return moves.flatMap((move) => {
    const gains = {
      userId: move.gains,
      kind: 'shift.gained',
      subject: `You are on call in ${context.schedule.name}`,
      text: `You are on call in ${place(move, context, move.gains)} instead of ${context.nameOf(move.loses)}. ${lead}`.trim(),
    };
    if (move.loses === null) return [gains];
    const text = `${context.nameOf(move.gains)} is on call instead of you in ${place(move, context, move.loses)}. ${lead}`;
    const subject = `${context.nameOf(move.gains)} takes your shift in ${context.schedule.name}`;
    return [gains, { userId: move.loses, kind: 'shift.lost', subject, text: text.trim() }];
  });
}

/** Notices to people who were asked before and are no longer needed. */
function notNeeded({ cover, before }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  if (before?.state !== 'proposed') return [];
  const now = new Set(cover.state === 'taken' ? cover.proposal?.moves.map(({ gains }) => gains) : []);
  return (before.proposal?.moves ?? [])
    .filter(({ gains }) => !now.has(gains))
    .map(({ gains }) => ({
      userId: gains,
      kind: 'cover.settled',
      subject: `You need not take the shift in ${context.schedule.name}`,
      text: `${cover.state === 'taken' ? `${context.nameOf(cover.takenBy)} takes` : 'Nobody needs to take'} ${context.nameOf(cover.userId)}'s shift in ${place(cover, context, gains)}.`,
    }));
}

function takenBack({ cover }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  return (cover.proposal?.moves ?? []).flatMap((move) => {
    const subject = `A cover in ${context.schedule.name} was taken back`;
    const gained = `You are not on call in ${place(move, context, move.gains)} any more: ${context.nameOf(cover.userId)} is not away then.`;
    const notices = [{ userId: move.gains, kind: 'shift.lost', subject, text: gained }];
    if (move.loses === null) return notices;
    const text = `You are on call again in ${place(move, context, move.loses)}.`;
    return [...notices, { userId: move.loses, kind: 'shift.gained', subject, text }];
  });
}

function place(
  span: Interval & { stage: number },
  { schedule, zoneOf }: NoticeContext,
  reader: string,
): string {
  return `${schedule.name}, stage ${span.stage}, ${spanText(span, zoneOf(reader))}`;
}
