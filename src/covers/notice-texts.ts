import type { Interval } from '../kit/interval.ts';
import { t } from '../language/contract.ts';
import { spanText } from '../schedules/span-text.ts';
import type { CoverEvent } from './events.ts';
import { freedText, isOn, takersText } from './proposal-words.ts';
import type { StoredCover } from './store.ts';

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
    ...proposedTo(event, context),
    ...opened(event, context),
    ...nobody(event, context),
  ],
  proposed: (event, context) => [...proposedTo(event, context), ...nobody(event, context)],
  applied: changed,
  taken: (event, context) => [...changed(event, context), ...notNeeded(event, context)],
  withdrawn: (event, context) =>
    event.before?.state === 'applied' ? takenBack(event, context) : notNeeded(event, context),
  expired: () => [],
};

function opened(event: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const { cover } = event;
  const { userId, proposal } = cover;
  const where = place(cover, context, userId);
  const why =
    cover.cause === 'absence'
      ? t('You are away during your shift in {where}.', { where })
      : t('A replacement is wanted for your shift in {where}.', { where });
  const who = proposal ? takersSentence(event, context) : t('Nobody is proposed yet.');
  const subject = t('Somebody is looking for a replacement for your shift in {schedule}', {
    schedule: context.schedule.name,
  });
  const text = `${why} ${who} ${t('You stay on call until somebody takes the shift.')}`;
  return [{ userId, kind: 'cover.opened', subject, text }];
}

function takersSentence({ cover }: CoverEvent, context: NoticeContext): string {
  const names = { nameOf: context.nameOf, timeZone: context.zoneOf(cover.userId) };
  const values = { takers: takersText(cover, names), count: cover.proposal?.moves.length ?? 0 };
  const changes = freedText(cover, names);
  return changes === null
    ? t(
        '{takers} could take it, and {count, plural, one {has been notified} other {have been notified}}.',
        values,
      )
    : t(
        '{takers} could take it if {changes}, and {count, plural, one {has been notified} other {have been notified}}.',
        { ...values, changes },
      );
}

/** Notices to people who had no proposal before. */
function proposedTo({ cover, before }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const known = new Set(before?.proposal?.moves.map(({ gains }) => gains));
  const moves = (cover.proposal?.moves ?? []).filter(({ gains }) => !known.has(gains));
  const loser = context.nameOf(cover.userId);
  return moves.map((move) => {
    const where = place(move, context, move.gains);
    const question = isOn(move, cover)
      ? t('Can you be on call in {where}?', { where })
      : t("Can you be on call in {where}, so that {taker} can take {loser}'s shift?", {
          ...{ where, loser, taker: context.nameOf(gainerOf(cover)) },
        });
    return {
      userId: move.gains,
      kind: 'cover.asked',
      subject: t('Can you take a shift in {schedule}?', { schedule: context.schedule.name }),
      text: `${becauseText(cover, loser)} ${question} ${t('Take it or decline it in the dashboard.')}`,
    };
  });
}

function becauseText({ cause, note }: StoredCover, who: string): string {
  if (cause === 'absence')
    return note === '' ? t('{who} is away.', { who }) : t('{who} is away (“{note}”).', { who, note });
  return note === ''
    ? t('{who} needs a replacement.', { who })
    : t('{who} needs a replacement (“{note}”).', { who, note });
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
    subject: t('Nobody can be proposed for a shift in {schedule}', { schedule: context.schedule.name }),
    text: t(
      '{who} cannot be on call in {where}, and every other member is away, already on call, or declined. Find a replacement, or change the absence.',
      { who: context.nameOf(cover.userId), where: place(cover, context, userId) },
    ),
  }));
}

function changed(event: CoverEvent, context: NoticeContext): ShiftNotice[] {
  const moves = event.cover.proposal?.moves ?? [];
  const lead = event.by === null ? '' : ` ${t('{by} arranged it.', { by: context.nameOf(event.by) })}`;
  const schedule = context.schedule.name;
  return moves.flatMap((move) => {
    const gains = {
      userId: move.gains,
      kind: 'shift.gained',
      subject: t('You are on call in {schedule}', { schedule }),
      text: `${t('You are on call in {where} instead of {other}.', {
        ...{ where: place(move, context, move.gains), other: context.nameOf(move.loses) },
      })}${lead}`,
    };
    if (move.loses === null) return [gains];
    const who = context.nameOf(move.gains);
    const where = place(move, context, move.loses);
    const text = `${t('{who} is on call instead of you in {where}.', { who, where })}${lead}`;
    const subject = t('{who} takes your shift in {schedule}', { who, schedule });
    return [gains, { userId: move.loses, kind: 'shift.lost', subject, text }];
  });
}

/** Notices to people who had a proposal that is no longer needed. */
function notNeeded({ cover, before }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  if (before?.state !== 'proposed') return [];
  const now = new Set(cover.state === 'taken' ? cover.proposal?.moves.map(({ gains }) => gains) : []);
  return (before.proposal?.moves ?? [])
    .filter(({ gains }) => !now.has(gains))
    .map(({ gains }) => ({
      userId: gains,
      kind: 'cover.settled',
      subject: t('You need not take the shift in {schedule}', { schedule: context.schedule.name }),
      text: settledText(cover, place(cover, context, gains), context),
    }));
}

function settledText(cover: StoredCover, where: string, { nameOf }: NoticeContext): string {
  const values = { who: nameOf(cover.takenBy), owner: nameOf(cover.userId), where };
  return cover.state === 'taken'
    ? t("{who} takes {owner}'s shift in {where}.", values)
    : t("Nobody needs to take {owner}'s shift in {where}.", values);
}

function takenBack({ cover }: CoverEvent, context: NoticeContext): ShiftNotice[] {
  return (cover.proposal?.moves ?? []).flatMap((move) => {
    const subject = t('A cover in {schedule} was undone', { schedule: context.schedule.name });
    const gained = t('You are no longer on call in {where}: {who} is not away then.', {
      ...{ where: place(move, context, move.gains), who: context.nameOf(cover.userId) },
    });
    const notices = [{ userId: move.gains, kind: 'shift.lost', subject, text: gained }];
    if (move.loses === null) return notices;
    const text = t('You are on call again in {where}.', { where: place(move, context, move.loses) });
    return [...notices, { userId: move.loses, kind: 'shift.gained', subject, text }];
  });
}

function place(
  span: Interval & { stage: number },
  { schedule, zoneOf }: NoticeContext,
  reader: string,
): string {
  return t('{schedule}, stage {stage}, {span}', {
    ...{ schedule: schedule.name, stage: span.stage },
    span: spanText(span, zoneOf(reader)),
  });
}
