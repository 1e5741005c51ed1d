import { shortNameOf } from '../../../src/notifications/channels/contract.ts';
import type { PageDetail, PageSummary, TimelineEntry } from '../../../src/pages/api-contract.ts';
import type { ActingSource } from '../../../src/pages/event-contract.ts';
import type { Person } from '../../../src/people/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { clockTime, countdown, dayTime, duration } from '../kit/time.ts';
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

/** `notifying · stage 2 in 3:12`, `acknowledged 12 m`. */
export function stateWords(page: PageSummary, now: Date): string {
  if (page.state === 'notifying') {
    const next = page.next && nextWords(page.next);
    return next
      ? `notifying · ${next} in ${countdown(Date.parse(page.next?.at ?? '') - now.getTime())}`
      : 'notifying';
  }
  const since = { acknowledged: page.acknowledged_at, resolved: page.resolved_at, expired: page.expired_at }[
    page.state
  ];
  return since ? `${page.state} ${duration(now.getTime() - Date.parse(since))}` : page.state;
}

function nextWords({ kind, stage, round }: NonNullable<PageSummary['next']>): string {
  if (kind === 'expire') return 'expires';
  if (kind === 'backstop') return 'backstop';
  if (kind === 'stage' && stage === null) return round > 1 ? `round ${round}` : 'stage 1';
  // A fractional stage means the next one after the last stage that ran.
  return stage !== null && Number.isInteger(stage) ? `stage ${stage}` : 'next stage';
}

/** Who acknowledged or resolved a page: a person, or a page source with the person whom it named. */
export function actorWords(person: Person | null, source: ActingSource | null): string | null {
  if (!source) return person?.name ?? null;
  return source.as === null ? source.name : `${source.name} (${source.as})`;
}

/** `SRE · Prometheus · to Ada Lovelace since 05:36`, `Payments · Edsger Dijkstra is on it`. */
export function whoWords(page: PageSummary): string {
  const recipient = page.team?.name ?? `To ${page.person?.name ?? 'somebody'}`;
  const whose = page.source ? `${recipient} · ${page.source.name}` : recipient;
  if (page.state === 'acknowledged') {
    const again = page.remind_at ? `, notified again at ${clockTime(page.remind_at)}` : '';
    const who = actorWords(page.acknowledged_by, page.acknowledged_by_source);
    if (page.acknowledged_by_source) return `${whose} · acknowledged by ${who}${again}`;
    return `${whose} · ${who ?? 'somebody'} is on it${again}`;
  }
  if (page.state === 'resolved')
    return `${whose} · resolved by ${actorWords(page.resolved_by, page.resolved_by_source) ?? 'somebody'}`;
  if (page.state === 'expired')
    return `${whose} · ${page.paged_again ? `paged again, ${page.paged_again.state}` : 'nobody answered'}`;
  const people = page.notified.map(({ person }) => person);
  if (people.length === 0) return `${whose} · since ${clockTime(page.created_at)}`;
  const to = page.team ? ` · to ${namesOf(people)}` : '';
  return `${whose}${to} since ${clockTime(page.notified[0]?.at ?? page.created_at)}`;
}

const MARKS: Record<PageSummary['channels'][number]['state'], string | null> = {
  delivered: '✓',
  accepted: '✓',
  sending: '…',
  retrying: 'again soon',
  failed: 'failed',
  bundled: 'bundled',
  waiting: null,
  cancelled: null,
};

/** `push ✓ · SMS ✓ · email failed`: the state of the notifications by channel. */
export function channelWords(page: PageSummary): string {
  return page.channels
    .flatMap(({ channel, state }) => (MARKS[state] ? `${shortNameOf(channel)} ${MARKS[state]}` : []))
    .join(' · ');
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
  if (stage !== null) return `stage ${stage}`;
  return { backstop: 'backstop', person: 'directly', members: 'whole team', added: 'added' }[as] ?? as;
}

/** Why this person was notified: by the schedule, as the backstop, or by a colleague. */
export function whyWords(entry: Extract<TimelineEntry, { kind: 'notified' }>): string {
  const { why } = entry;
  if (why.reason !== 'on call')
    return String(why.schedule ? `${why.reason} of ${why.schedule}` : (why.reason ?? ''));
  const until = typeof why.until === 'string' ? `, until ${dayTime(why.until)}` : '';
  const away = typeof why.away === 'string' ? ` · away (${why.away}), so the next stage is notified too` : '';
  return `on call in ${why.schedule}${until}${away}`;
}
