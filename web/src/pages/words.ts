import { shortNameOf } from '../../../src/notifications/channels/contract.ts';
import type { PageDetail, PageSummary, TimelineEntry } from '../../../src/pages/api-contract.ts';
import type { ActingSource } from '../../../src/pages/event-contract.ts';
import type { Person } from '../../../src/people/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { clockTime, countdown, dayTime, duration } from '../kit/time.ts';
import { t, tIn } from '../language/t.ts';
import { namesOf } from '../people/names.ts';

const STATE_TONES: Record<PageSummary['state'], Tone> = {
  notifying: 'alarm',
  acknowledged: 'watch',
  resolved: 'calm',
  expired: 'none',
};

/** An unanswered page has the alarm colour until somebody handles it, like one that notifies. */
export function stateTone({ state, unanswered }: PageSummary): Tone {
  return unanswered ? 'alarm' : STATE_TONES[state];
}

export const URGENCY_TONES: Record<PageSummary['urgency'], Tone> = {
  high: 'alarm',
  medium: 'watch',
  low: 'info',
};

const STATES: Record<PageSummary['state'], string> = {
  notifying: tIn('state of a page', 'notifying'),
  acknowledged: tIn('state of a page', 'acknowledged'),
  resolved: tIn('state of a page', 'resolved'),
  expired: tIn('state of a page', 'expired'),
};

const URGENCIES: Record<PageSummary['urgency'], string> = {
  high: tIn('urgency', 'high'),
  medium: tIn('urgency', 'medium'),
  low: tIn('urgency', 'low'),
};

/** `notifying`; a state that only a newer release knows goes by its name. */
export const stateName = (state: string): string => STATES[state as PageSummary['state']] ?? state;
/** `high` */
export const urgencyName = (urgency: PageSummary['urgency']): string => URGENCIES[urgency] ?? urgency;

/** `notifying · stage 2 in 3:12`, `acknowledged 12 m`. */
export function stateWords(page: PageSummary, now: Date): string {
  const state = stateName(page.state);
  if (page.state === 'notifying')
    return page.next ? nextWords(page.next, countdown(Date.parse(page.next.at) - now.getTime())) : state;
  const since = { acknowledged: page.acknowledged_at, resolved: page.resolved_at, expired: page.expired_at }[
    page.state
  ];
  return since ? `${state} ${duration(now.getTime() - Date.parse(since))}` : state;
}

function nextWords({ kind, stage, round }: NonNullable<PageSummary['next']>, time: string): string {
  if (kind === 'expire') return t('notifying · expires in {time}', { time });
  if (kind === 'backstop') return t('notifying · backstop in {time}', { time });
  if (kind === 'stage' && stage === null)
    return round > 1
      ? t('notifying · round {round} in {time}', { round, time })
      : t('notifying · stage {stage} in {time}', { stage: 1, time });
  // A fractional stage means the next one after the last stage that ran.
  return stage !== null && Number.isInteger(stage)
    ? t('notifying · stage {stage} in {time}', { stage, time })
    : t('notifying · next stage in {time}', { time });
}

/** Who acknowledged or resolved a page: a person, or a page source with the person whom it named. */
export function actorWords(person: Person | null, source: ActingSource | null): string | null {
  if (!source) return person?.name ?? null;
  return source.as === null ? source.name : `${source.name} (${source.as})`;
}

/** `SRE · Prometheus · to Ada Lovelace since 05:36`, `Payments · Edsger Dijkstra is on it`. */
export function whoWords(page: PageSummary): string {
  const recipient = page.team?.name ?? t('To {person}', { person: page.person?.name ?? t('somebody') });
  const whose = page.source ? `${recipient} · ${page.source.name}` : recipient;
  if (page.state === 'acknowledged') return `${whose} · ${acknowledgedWords(page)}`;
  if (page.state === 'resolved') {
    const who = actorWords(page.resolved_by, page.resolved_by_source) ?? t('somebody');
    return `${whose} · ${t('resolved by {who}', { who })}`;
  }
  if (page.state === 'expired') {
    const again = page.paged_again && stateName(page.paged_again.state);
    return `${whose} · ${again ? t('paged again, {state}', { state: again }) : t('nobody answered')}`;
  }
  const people = page.notified.map(({ person }) => person);
  if (people.length === 0) return `${whose} · ${t('since {time}', { time: clockTime(page.created_at) })}`;
  const time = clockTime(page.notified[0]?.at ?? page.created_at);
  if (!page.team) return t('{whose} since {time}', { whose, time });
  return `${whose} · ${t('to {people} since {time}', { people: namesOf(people), time })}`;
}

function acknowledgedWords(page: PageSummary): string {
  const who = actorWords(page.acknowledged_by, page.acknowledged_by_source) ?? t('somebody');
  const time = page.remind_at && clockTime(page.remind_at);
  if (page.acknowledged_by_source)
    return time
      ? t('acknowledged by {who}, notified again at {time}', { who, time })
      : t('acknowledged by {who}', { who });
  return time ? t('{who} is on it, notified again at {time}', { who, time }) : t('{who} is on it', { who });
}

/** `push ✓ · SMS ✓ · email failed`: the state of the notifications by channel. */
export function channelWords(page: PageSummary): string {
  return page.channels.flatMap(({ channel, state }) => markWords(shortNameOf(channel), state)).join(' · ');
}

function markWords(channel: string, state: PageSummary['channels'][number]['state']): string[] {
  switch (state) {
    case 'delivered':
    case 'accepted':
      return [`${channel} ✓`];
    case 'sending':
      return [`${channel} …`];
    case 'retrying':
      return [t('{channel} again soon', { channel })];
    case 'failed':
      return [t('{channel} failed', { channel })];
    case 'bundled':
      return [t('{channel} bundled', { channel })];
    default:
      return [];
  }
}

/** Who is notified next, and when. */
export function nextNotified(detail: PageDetail): { who: string; first: string; at: string } | null {
  const next = detail.upcoming.find((entry) => entry.kind === 'notify');
  if (!next || next.people.length === 0) return null;
  // First names only, because buttons are narrow.
  const first = namesOf(next.people.map(({ name }) => ({ name: name.split(' ')[0] ?? name })));
  return { who: namesOf(next.people), first, at: next.at };
}

export function stageWords({ as, stage }: { as: string; stage: number | null }): string {
  if (stage !== null) return t('stage {stage}', { stage });
  return (
    {
      backstop: t('backstop'),
      person: tIn('how a person was notified', 'directly'),
      members: t('whole team'),
      added: tIn('how a person was notified', 'added'),
    }[as] ?? as
  );
}

const REASONS: Readonly<Record<string, string>> = {
  backstop: t('backstop'),
  reassigned: t('reassigned'),
  'added by hand': t('added by hand'),
  'paged directly': t('paged directly'),
  'nobody acknowledged the page: every member of the team is notified': t(
    'nobody acknowledged the page: every member of the team is notified',
  ),
  'nobody of the team is on call and there is no backstop: every member is notified': t(
    'nobody of the team is on call and there is no backstop: every member is notified',
  ),
  'nobody who is on call or a backstop can be reached: every member is notified': t(
    'nobody who is on call or a backstop can be reached: every member is notified',
  ),
  'nobody else can be reached: every member is notified': t(
    'nobody else can be reached: every member is notified',
  ),
  'snoozed until now': t('snoozed until now'),
  'the acknowledgement timed out': t('the acknowledgement timed out'),
  'the urgency rose': t('the urgency rose'),
};

/** Why this person was notified: by the schedule, as the backstop, or by a colleague. */
export function whyWords(entry: Extract<TimelineEntry, { kind: 'notified' }>): string {
  const { reason, schedule: name, until, away } = entry.why;
  const schedule = String(name);
  if (reason === 'backstop' && name) return t('backstop of {schedule}', { schedule });
  if (reason !== 'on call') return REASONS[String(reason)] ?? String(reason ?? '');
  const onCall =
    typeof until === 'string'
      ? t('on call in {schedule}, until {time}', { schedule, time: dayTime(until) })
      : t('on call in {schedule}', { schedule });
  return typeof away === 'string'
    ? `${onCall} · ${t('away ({away}), so the next stage is notified too', { away })}`
    : onCall;
}
