import ICAL from 'ical.js';
import { t } from '../language/contract.ts';
import type { FeedKind } from './api-contract.ts';
import type { FeedShift } from './feed-store.ts';

// The library does not count the blank at the start of a folded line.
ICAL.foldLength = 74;

/** How often calendar programs should poll. */
const REFRESH = 'PT30M';

/**
 * A feed as iCalendar text (RFC 5545), in the current language. All times are in UTC, so no zones have to be defined; calendar programs show
 * them in the reader's zone. An event keeps its UID while its shift changes hands or its end. Yields so that the
 * process can do other work in between.
 */
export function* feedCalendar(
  feed: { kind: FeedKind; name: string; userId: string },
  shifts: readonly FeedShift[],
  publicUrl: string,
): Generator<void, string> {
  const calendar = new ICAL.Component('vcalendar');
  calendar.addPropertyWithValue('version', '2.0');
  calendar.addPropertyWithValue('prodid', '-//Tocsin//On call//EN');
  calendar.addPropertyWithValue('calscale', 'GREGORIAN');
  calendar.addPropertyWithValue('method', 'PUBLISH');
  for (const name of ['name', 'x-wr-calname']) addText(calendar, name, titleOf(feed));
  const refresh = new ICAL.Property('refresh-interval');
  refresh.resetType('duration');
  refresh.setValue(ICAL.Duration.fromString(REFRESH));
  calendar.addProperty(refresh);
  addText(calendar, 'x-published-ttl', REFRESH);
  // Serialize each event separately: thousands at once would block the process for half a second.
  const events: string[] = [];
  for (const shift of shifts) {
    yield;
    events.push(`${eventOf(feed, shift, publicUrl)}\r\n`);
  }
  const end = 'END:VCALENDAR';
  return `${calendar.toString().slice(0, -end.length)}${events.join('')}${end}\r\n`;
}

function titleOf({ kind, name }: { kind: FeedKind; name: string }): string {
  switch (kind) {
    case 'person':
      return t('On call: {name}', { name });
    case 'team':
      return t('On call: {name} (team)', { name });
    case 'schedule':
      return t('On call: {name} (schedule)', { name });
  }
}

function eventOf(
  feed: { kind: FeedKind; userId: string },
  shift: FeedShift,
  publicUrl: string,
): ICAL.Component {
  const event = new ICAL.Component('vevent');
  const sentence = feed.kind === 'person' ? ownSentence(feed.userId, shift) : sentenceOf(shift);
  addText(event, 'uid', `${shift.id}@on-call.tocsin`);
  event.addPropertyWithValue('dtstamp', time(shift.updatedAt));
  event.addPropertyWithValue('last-modified', time(shift.updatedAt));
  event.addPropertyWithValue('created', time(shift.createdAt));
  event.addPropertyWithValue('sequence', String(revisionOf(shift)));
  event.addPropertyWithValue('dtstart', time(shift.startsAt));
  event.addPropertyWithValue('dtend', time(shift.endsAt));
  addText(event, 'summary', sentence);
  addText(event, 'description', detailsOf(shift));
  event.addPropertyWithValue('url', `${publicUrl}/schedules/${shift.scheduleId}`);
  event.addPropertyWithValue('status', 'CONFIRMED');
  // A person who is on call can still be invited to meetings.
  event.addPropertyWithValue('transp', 'TRANSPARENT');
  return event;
}

function sentenceOf(shift: FeedShift): string {
  const where = whereOf(shift);
  const { userName, plannedName, backstopName } = shift;
  if (userName === null)
    return backstopName
      ? t('Nobody on call: {where} ({backstop} answers as backstop)', { where, backstop: backstopName })
      : t('Nobody on call: {where}', { where });
  return isCover(shift) && plannedName
    ? t('{name} on call for {planned}: {where}', { name: userName, planned: plannedName, where })
    : t('{name} on call: {where}', { name: userName, where });
}

/** The title of a shift for the person whose calendar it is. */
function ownSentence(userId: string, shift: FeedShift): string {
  const where = whereOf(shift);
  if (shift.userId === userId)
    return isCover(shift) && shift.plannedName
      ? t('On call for {planned}: {where}', { planned: shift.plannedName, where })
      : t('On call: {where}', { where });
  const name = shift.userName;
  if (shift.plannedUserId !== userId)
    return name === null
      ? t('Learning with nobody: {where}', { where })
      : t('Learning with {name}: {where}', { name, where });
  return name === null
    ? t('Covered by nobody yet: {where}', { where })
    : t('Covered by {name}: {where}', { name, where });
}

function whereOf({ scheduleName, stage }: FeedShift): string {
  return t('{schedule}, stage {stage}', { schedule: scheduleName, stage });
}

function isCover({ userId, plannedUserId }: FeedShift): boolean {
  return plannedUserId !== null && plannedUserId !== userId;
}

function detailsOf(shift: FeedShift): string {
  const { teamName, plannedName, backstopName } = shift;
  return [
    t('Team {team}, schedule {schedule}, stage {stage}.', {
      ...{ team: teamName, schedule: shift.scheduleName, stage: shift.stage },
    }),
    ...(isCover(shift) && plannedName ? [t('Planned for {name}.', { name: plannedName })] : []),
    ...(backstopName ? [t('Backstop: {name}.', { name: backstopName })] : []),
  ].join('\n');
}

/** Increases with every change of the shift. */
function revisionOf({ createdAt, updatedAt }: FeedShift): number {
  return Math.max(0, Math.floor(createdAt.until(updatedAt).total('seconds')));
}

/** Replaces control characters, which would break the line. */
function addText(component: ICAL.Component, name: string, text: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get in
  component.addPropertyWithValue(name, text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ' '));
}

function time(at: Temporal.Instant): ICAL.Time {
  return ICAL.Time.fromJSDate(new Date(at.epochMilliseconds), true);
}
