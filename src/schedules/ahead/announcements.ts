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
  subject: string;
  text(reader: string): string;
};

/** What is known of people and teams: names, zones, managers and owners. */
export type Circle = {
  at: number;
  nameOf(userId: string): string;
  zoneOf(userId: string): string;
  /** Managers of a team, or all its members. */
  caretakers(teamId: string): readonly string[];
  owners(organizationId: string): readonly string[];
};

const AHEAD: Record<LeadTime, string> = {
  week: 'within a week',
  day: 'within a day',
  hour: 'within an hour',
};

type Soon = SoonGap | SoonCover | SoonShift;

function leadTime({ startsAt }: Soon, { at }: Circle): LeadTime | null {
  return leadTimeOf(startsAt.epochMilliseconds - at);
}

function when({ startsAt, endsAt, stage, scheduleName }: Soon, zone: string): string {
  const span = { from: startsAt.epochMilliseconds, to: endsAt.epochMilliseconds };
  return `${scheduleName}, stage ${stage}, ${spanText(span, zone)}`;
}

/** Notifies the team's managers, the owners and the backstop that nobody is on call. */
export function gapAnnouncement(gap: SoonGap, circle: Circle): Announcement[] {
  const ahead = leadTime(gap, circle);
  if (ahead === null) return [];
  const { organizationId, scheduleId, backstopUserId, teamId, stage, seat, startsAt } = gap;
  const answers =
    backstopUserId === null
      ? 'No backstop is set'
      : `${circle.nameOf(backstopUserId)} answers as the backstop`;
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
      subject: `Nobody is on call in ${gap.scheduleName} ${AHEAD[ahead]}`,
      text: (reader) =>
        `Nobody is on call in ${when(gap, circle.zoneOf(reader))}. ${answers}. Put somebody on call, or change who is away.`,
    },
  ];
}

/** Notifies the person whose shift it is, the people who were asked, and the team's managers that a cover is open. */
export function coverAnnouncement(cover: SoonCover, circle: Circle): Announcement[] {
  const ahead = leadTime(cover, circle);
  if (ahead === null) return [];
  const { organizationId, scheduleId, userId, askedUserIds, teamId, id } = cover;
  const to = [userId, ...askedUserIds, ...circle.caretakers(teamId)];
  return [
    {
      key: `cover ${id} ${ahead}`,
      kind: 'cover.untaken',
      ...{ organizationId, scheduleId, to },
      subject: `Nobody has taken ${circle.nameOf(userId)}'s shift in ${cover.scheduleName} yet`,
      text: (reader) =>
        `${circle.nameOf(userId)}'s shift in ${when(cover, circle.zoneOf(reader))} begins ${AHEAD[ahead]}, and nobody has taken it. Until somebody does, ${circle.nameOf(userId)} is paged together with the next stage.`,
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
      subject: `${name} is on call ${AHEAD[ahead]} and ${reach.reachable ? 'can be reached only in an open dashboard' : 'cannot be reached'}`,
      text: (reader) =>
        `${name} is on call in ${when(shift, circle.zoneOf(reader))}, and ${reach.reachable ? 'a page would reach them only while a dashboard of theirs is open' : 'no page would reach them'}: ${reach.whyNot}. Add and verify a contact method in the profile.`,
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
      subject: `Your shift in ${shift.scheduleName} begins within an hour`,
      text: (reader) => `You are on call in ${when(shift, circle.zoneOf(reader))}.`,
    },
  ];
}
