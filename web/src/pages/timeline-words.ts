import {
  CHANNEL,
  CHANNELS,
  type ChannelName,
  shortNameOf,
} from '../../../src/notifications/channels/contract.ts';
import type { TimelineEntry, UpcomingEntry } from '../../../src/pages/api-contract.ts';
import type { ActingSource, Via } from '../../../src/pages/event-contract.ts';
import type { Person } from '../../../src/people/contract.ts';
import type { Tone } from '../kit/pill.tsx';
import { exactTime } from '../kit/time.ts';
import { t } from '../language/t.ts';
import { namesOf } from '../people/names.ts';
import { actorWords, whyWords } from './words.ts';

type Words = { tone: Tone; what: string; proof?: string };
type Attempt = Extract<TimelineEntry, { kind: 'attempt' }>;

const VIA: Record<string, string> = {
  ...Object.fromEntries(CHANNELS.map((channel) => [channel, answeredWords(channel)])),
  dashboard: 'in the dashboard',
  link: 'through the link',
  api: 'through the API',
  source: '',
};

function answeredWords(channel: ChannelName): string {
  const { answered, way } = CHANNEL[channel].words;
  return answered ?? way;
}

/** A timeline entry in words: a sentence, and the evidence for it. */
export function entryWords(entry: TimelineEntry): Words {
  switch (entry.kind) {
    case 'raised':
      return raisedWords(entry);
    case 'repeated':
      return { tone: 'none', what: repeatedWords(entry) };
    case 'urgency_raised':
      return {
        tone: 'alarm',
        what: `${entry.source?.name ?? 'Somebody'} raised the urgency from ${entry.from} to ${entry.to}`,
        ...proof(entry.reasons.join(', ') || null),
      };
    case 'came_back':
      return { tone: 'watch', what: t('It came back as another page'), proof: entry.page_id };
    case 'notified':
      return { tone: 'alarm', what: `${notifiedAs(entry)} · ${entry.person.name}`, proof: whyWords(entry) };
    case 'attempt':
      return attemptWords(entry);
    case 'not_sent':
      return { tone: 'none', what: `${channelTo(entry)} was not sent`, ...proof(entry.error) };
    case 'bundled':
      return {
        tone: 'info',
        what: `${channelTo(entry)} was bundled into another message`,
        ...proof(entry.into),
      };
    case 'all_clear':
      return allClearWords(entry);
    case 'cancelled':
      return {
        tone: 'none',
        what:
          entry.count === 1
            ? t('One notification was cancelled')
            : `${entry.count} notifications were cancelled`,
      };
    case 'unreachable':
      return {
        tone: 'alarm',
        what: `${entry.person?.name ?? 'Somebody'} could not be reached through any channel`,
      };
    case 'disabled':
      return { tone: 'watch', what: disabledWords(entry) };
    case 'gap':
      return { tone: 'watch', what: `Nobody is on call in stage ${entry.stage ?? '?'}: skipped` };
    case 'comment':
      return { tone: 'info', what: `${actorName(entry)} commented`, proof: entry.text };
    case 'expired':
      return {
        tone: 'alarm',
        what: t('Expired: nobody answered'),
        proof:
          entry.notified.length > 0
            ? `notified: ${namesOf(entry.notified)}`
            : 'nobody could be notified of the expiry',
      };
    case 'failed':
      return { tone: 'alarm', what: entry.message };
    case 'stand_by':
      return {
        tone: 'watch',
        what: `The database was away: the lifeboat of ${entry.node} notified`,
        proof: `people and schedules as of ${exactTime(entry.copied_at)}`,
      };
    case 'duplicate':
      return {
        tone: 'info',
        what: entry.kept
          ? `The lifeboat of ${entry.node} had a page about the same, which ended`
          : t('Another page about the same goes on, so this one ended'),
        proof: entry.page_id,
      };
    case 'reminded':
      return { tone: 'alarm', what: remindedWords(entry) };
    case 'paged_again':
      return { tone: 'info', what: `${entry.by?.name ?? 'Somebody'} paged again`, proof: entry.page_id };
    default:
      return doneWords(entry);
  }
}

/** The person who acted, or the page source with the person whom it names. */
function actorName({ by, source }: { by: Person | null; source?: ActingSource }): string {
  return actorWords(by, source ?? null) ?? 'Somebody';
}

function raisedWords(entry: Extract<TimelineEntry, { kind: 'raised' }>): Words {
  const { by, source, reasons, request_id, drill } = entry;
  const what = `Raised ${drill ? 'as a drill ' : ''}by ${source?.name ?? by?.name ?? 'somebody'}`;
  return { tone: 'info', what, proof: reasons && reasons.length > 0 ? reasons.join(', ') : request_id };
}

const REPEATED = {
  trigger: 'sent it again',
  acknowledge: 'acknowledged it again',
  unacknowledge: 'took back an acknowledgement',
  resolve: 'resolved it, which changed nothing',
} as const;

function repeatedWords({
  action,
  count,
  until,
  source,
}: Extract<TimelineEntry, { kind: 'repeated' }>): string {
  const what = `${source?.name ?? 'Somebody'} ${REPEATED[action]}`;
  return count === 1 ? what : `${what}: ${count} times, the last at ${exactTime(until)}`;
}

function disabledWords(entry: Extract<TimelineEntry, { kind: 'disabled' }>): string {
  const name = entry.person?.name ?? 'Somebody';
  if (entry.acknowledged) return `${name}, who acknowledged it, was disabled: the page notifies again`;
  const { cancelled } = entry;
  if (cancelled === 0) return `${name} was disabled: the page no longer waits for them`;
  return `${name} was disabled: ${cancelled === 1 ? 'one notification was' : `${cancelled} notifications were`} cancelled`;
}

function doneWords(entry: Extract<TimelineEntry, { via: Via }>): Words {
  const by = actorName(entry);
  const way = VIA[entry.via];
  const via = way ? ` ${way}` : '';
  switch (entry.kind) {
    case 'acknowledged':
      return { tone: 'watch', what: `${by} acknowledged${via}` };
    case 'resolved':
      return {
        tone: 'calm',
        what: `${by} ${entry.from === 'expired' ? 'marked it as handled' : 'resolved it'}${via}`,
      };
    case 'escalated':
      return { tone: 'alarm', what: `${by} escalated${via}` };
    case 'answered_late':
      return { tone: 'watch', what: `${by} answered${via}, after the page had expired` };
    case 'unacknowledged':
      return { tone: 'alarm', what: `${by} un-acknowledged it${via}: it notifies again` };
    case 'joined':
      return { tone: 'watch', what: `${by} joined${via}` };
    case 'reopened':
      return { tone: 'alarm', what: `${by} reopened the page${via}` };
    case 'extended':
      return {
        tone: 'watch',
        what: `${by} extended the acknowledgement${via}`,
        proof: untilWords(entry.until),
      };
    case 'snoozed':
      return { tone: 'watch', what: `${by} snoozed the page${via}`, proof: untilWords(entry.until) };
    case 'undone':
      return { tone: 'watch', what: `${by} undid the ${entry.what}${via}` };
    case 'added':
      return { tone: 'info', what: `${by} added ${namesOf(entry.people)}${via}` };
    case 'reassigned':
      return {
        tone: 'info',
        what: `${by} reassigned it to ${entry.team?.name ?? namesOf(entry.people)}${via}`,
      };
  }
}

function remindedWords({ person, snoozed }: Extract<TimelineEntry, { kind: 'reminded' }>): string {
  const why = snoozed ? t('The snooze is over') : t('The acknowledgement timed out');
  return person
    ? `${why}: ${person.name} is notified again`
    : `${why}: the people on call are notified again`;
}

function untilWords(until: string): string {
  return `notifies again at ${exactTime(until)}`;
}

function notifiedAs({ as, stage, round }: Extract<TimelineEntry, { kind: 'notified' }>): string {
  const again = round > 1 ? `, round ${round}` : '';
  if (stage !== null) return `Stage ${stage}${again}`;
  return {
    backstop: `Backstop${again}`,
    person: 'Directly',
    members: `Whole team${again}`,
    added: 'Added',
    stage: 'Stage',
    expired: t('Notified of the expiry'),
  }[as];
}

function attemptWords(entry: Attempt): Words {
  const repeat = entry.repeat ? ' · may be a repeat' : '';
  const what = `${channelTo(entry)} ${outcomeWords(entry)}${repeat}`;
  return { tone: attemptTone(entry), what, ...proof(evidence(entry)) };
}

const ALL_CLEAR = {
  sent: 'all-clear accepted',
  waiting: 'all-clear is being sent',
  failed: t('all-clear refused'),
  cancelled: 'all-clear was not sent',
} as const;

/** Calls end; every other channel says that the page is over. */
function allClearWords(entry: Extract<TimelineEntry, { kind: 'all_clear' }>): Words {
  const ended = entry.channel === 'voice' && entry.state === 'sent';
  return {
    tone: 'none',
    what: `${channelTo(entry)} ${ended ? 'was ended' : ALL_CLEAR[entry.state]}`,
    ...proof(entry.error),
  };
}

function outcomeWords({ outcome, receipt, attempt, next_at }: Attempt): string {
  if (receipt) return receipt;
  const nth = attempt > 1 ? ` at attempt ${attempt}` : '';
  switch (outcome) {
    case 'accepted':
      return `accepted${nth}`;
    case 'refused':
      return `refused${nth}`;
    case 'retry':
      return next_at ? `deferred, next try ${exactTime(next_at)}` : `deferred${nth}`;
    case 'unknown':
      return 'may or may not have been sent';
    default:
      return 'is being sent';
  }
}

function attemptTone({ outcome, receipt, error }: Attempt): Tone {
  if (receipt && error) return 'alarm';
  if (outcome === 'accepted') return 'calm';
  if (outcome === 'refused') return 'alarm';
  return outcome === null ? 'info' : 'watch';
}

function evidence({ provider_id, ended_at, receipt_at, error, receipt }: Attempt): string {
  const parts = [
    provider_id,
    error?.replace(/\.$/, ''),
    receipt && ended_at && `accepted ${exactTime(ended_at)}`,
    receipt_at && `receipt ${exactTime(receipt_at)}`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function channelTo({
  channel,
  person,
  address,
}: {
  channel: Attempt['channel'];
  person: { name: string };
  address: string;
}): string {
  const name = capital(shortNameOf(channel));
  return channel === 'browser' ? `${name} of ${person.name}` : `${name} to ${person.name}, ${address},`;
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function proof(text: string | null): { proof?: string } {
  return text ? { proof: text } : {};
}

/** What happens next if nobody answers. */
export function upcomingWords(entry: UpcomingEntry): string {
  if (entry.kind === 'expire') return t('Then the page expires and the whole team is notified');
  if (entry.kind === 'attempt')
    return `${entry.again ? t('Again: ') : ''}${capital(shortNameOf(entry.channel))} to ${entry.person.name}, ${entry.address}`;
  const who = namesOf(entry.people);
  if (entry.as === 'backstop') return `Then the backstop · ${who}`;
  if (entry.as === 'members') return `Then the whole team · ${who}`;
  return `Then ${entry.round > 1 ? `round ${entry.round}, ` : ''}stage ${entry.stage ?? ''} · ${who}`;
}
