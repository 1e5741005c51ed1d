import { t, tIn } from '../../language/contract.ts';
import type { Reach } from '../../people/reachability.ts';
import { spanText } from '../span-text.ts';
import { type LeadTime, leadTimeOf } from './lead-time.ts';
import type { SoonCover, SoonGap, SoonShift } from './soon-store.ts';

/** A notice that each of these people gets once. */
export type Announcement = {
  key: string;
  kind: 'schedule.gap' | 'cover.untaken' | 'person.unreachable' | 'shift.starting';
  organizationId: string;
  scheduleId: string;
  to: readonly string[];
  subject(): string;
  text(reader: string): string;
};

/** Names and zones of people, and the managers and owners of teams. */
export type Circle = {
  at: number;
  nameOf(userId: string): string;
  zoneOf(userId: string): string;
  /** Managers of a team, or all its members. */
  caretakers(teamId: string): readonly string[];
  owners(organizationId: string): readonly string[];
};

/** `within a day` */
function aheadText(ahead: LeadTime): string {
  return {
    week: () => tIn('when something happens', 'within a week'),
    day: () => tIn('when something happens', 'within a day'),
    hour: () => tIn('when something happens', 'within an hour'),
  }[ahead]();
}

type Soon = SoonGap | SoonCover | SoonShift;

function leadTime({ startsAt }: Soon, { at }: Circle): LeadTime | null {
  return leadTimeOf(startsAt.epochMilliseconds - at);
}

function when({ startsAt, endsAt, stage, scheduleName }: Soon, zone: string): string {
  const span = { from: startsAt.epochMilliseconds, to: endsAt.epochMilliseconds };
  return t('{schedule}, stage {stage}, {span}', {
    ...{ schedule: scheduleName, stage },
    span: spanText(span, zone),
  });
}

/** Notifies the team's managers, the owners and the backstop that nobody is on call. */
export function gapAnnouncement(gap: SoonGap, circle: Circle): Announcement[] {
  const ahead = leadTime(gap, circle);
  if (ahead === null) return [];
  const { organizationId, scheduleId, backstopUserId, teamId, stage, seat, startsAt } = gap;
  const to = [
    ...circle.caretakers(teamId),
    ...circle.owners(organizationId),
    ...(backstopUserId ? [backstopUserId] : []),
  ];
  return [
    {
      key: `gap ${scheduleId} ${stage} ${seat} ${startsAt} ${ahead}`,
      kind: 'schedule.gap',
      ...{ organizationId, scheduleId, to },
      subject: () =>
        t('Nobody is on call in {schedule} {ahead}', { schedule: gap.scheduleName, ahead: aheadText(ahead) }),
      text: (reader) => {
        const where = when(gap, circle.zoneOf(reader));
        return backstopUserId === null
          ? t(
              'Nobody is on call in {where}, and no backstop is set. Put somebody on call, or change an absence.',
              { where },
            )
          : t(
              'Nobody is on call in {where}. {who} answers as the backstop. Put somebody on call, or change an absence.',
              { where, who: circle.nameOf(backstopUserId) },
            );
      },
    },
  ];
}

/** Notifies the person whose shift it is, the people who are proposed, and the team's managers that a cover is open. */
export function coverAnnouncement(cover: SoonCover, circle: Circle): Announcement[] {
  const ahead = leadTime(cover, circle);
  if (ahead === null) return [];
  const { organizationId, scheduleId, userId, proposedUserIds, teamId, id } = cover;
  const to = [userId, ...proposedUserIds, ...circle.caretakers(teamId)];
  return [
    {
      key: `cover ${id} ${ahead}`,
      kind: 'cover.untaken',
      ...{ organizationId, scheduleId, to },
      subject: () =>
        t("Nobody has taken {who}'s shift in {schedule} yet", {
          ...{ who: circle.nameOf(userId), schedule: cover.scheduleName },
        }),
      text: (reader) =>
        t(
          "{who}'s shift in {where} begins {ahead}, and nobody has taken it. Until somebody does, {who} is paged together with the next stage.",
          {
            who: circle.nameOf(userId),
            where: when(cover, circle.zoneOf(reader)),
            ahead: aheadText(ahead),
          },
        ),
    },
  ];
}

/** Notifies a person who is soon on call, and the team's managers, that no contact method reaches them. */
export function unreachableAnnouncement(shift: SoonShift, reach: Reach, circle: Circle): Announcement[] {
  const ahead = leadTime(shift, circle);
  if (ahead === null || reach.by === 'contact_method') return [];
  const { organizationId, scheduleId, userId, teamId, startsAt } = shift;
  const name = circle.nameOf(userId);
  return [
    {
      key: `unreachable ${userId} ${scheduleId} ${startsAt} ${ahead}`,
      kind: 'person.unreachable',
      ...{ organizationId, scheduleId, to: [userId, ...circle.caretakers(teamId)] },
      subject: () => {
        const values = { who: name, ahead: aheadText(ahead) };
        return reach.reachable
          ? t('{who} is on call {ahead} and can be reached only in an open dashboard', values)
          : t('{who} is on call {ahead} and cannot be reached', values);
      },
      text: (reader) => {
        const where = when(shift, circle.zoneOf(reader));
        const values = { who: name, where, why: reach.whyNot ?? '' };
        return reach.reachable
          ? t(
              '{who} is on call in {where}, and a page would reach them only in an open dashboard: {why}. Add and verify a contact method in the profile.',
              values,
            )
          : t(
              '{who} is on call in {where}, but no page would reach them: {why}. Add and verify a contact method in the profile.',
              values,
            );
      },
    },
  ];
}

/** Notifies a person that their shift begins. */
export function startAnnouncement(shift: SoonShift, circle: Circle): Announcement[] {
  const { organizationId, scheduleId, userId, stage, startsAt } = shift;
  return [
    {
      key: `start ${userId} ${scheduleId} ${stage} ${startsAt}`,
      kind: 'shift.starting',
      ...{ organizationId, scheduleId, to: [userId] },
      subject: () => t('Your shift in {schedule} begins within an hour', { schedule: shift.scheduleName }),
      text: (reader) => t('You are on call in {where}.', { where: when(shift, circle.zoneOf(reader)) }),
    },
  ];
}
