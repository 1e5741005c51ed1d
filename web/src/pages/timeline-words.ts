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
import { commas, t, tIn } from '../language/t.ts';
import { namesOf } from '../people/names.ts';
import { actorWords, urgencyName, whyWords } from './words.ts';

type Words = { tone: Tone; what: string; proof?: string };
type Attempt = Extract<TimelineEntry, { kind: 'attempt' }>;

/** How somebody acted, within a sentence; empty for a page source, which acts in its own way. */
const VIA: Record<string, string> = {
  ...Object.fromEntries(CHANNELS.map((channel) => [channel, answeredWords(channel)])),
  dashboard: t('in the dashboard'),
  link: t('through the link'),
  api: t('through the API'),
  source: '',
};

function answeredWords(channel: ChannelName): string {
  const { answered, way } = CHANNEL[channel].words;
  return answered ?? way;
}

const somebody = (one: { name: string } | null | undefined): string => one?.name ?? t('Somebody');

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
        what: t('{who} raised the urgency from {from} to {to}', {
          who: somebody(entry.source),
          from: urgencyName(entry.from),
          to: urgencyName(entry.to),
        }),
        ...proof(commas(entry.reasons) || null),
      };
    case 'came_back':
      return { tone: 'watch', what: t('It came back as a new page'), proof: entry.page_id };
    case 'notified':
      return { tone: 'alarm', what: `${notifiedAs(entry)} · ${entry.person.name}`, proof: whyWords(entry) };
    case 'attempt':
      return attemptWords(entry);
    case 'not_sent':
      return {
        tone: 'none',
        what: t('{notification} was not sent', { notification: channelTo(entry) }),
        ...proof(entry.error),
      };
    case 'bundled':
      return {
        tone: 'info',
        what: t('{notification} was bundled into another message', { notification: channelTo(entry) }),
        ...proof(entry.into),
      };
    case 'all_clear':
      return allClearWords(entry);
    case 'cancelled':
      return {
        tone: 'none',
        what: t(
          '{count, plural, =1 {One notification was cancelled} other {{count} notifications were cancelled}}',
          { count: entry.count },
        ),
      };
    case 'unreachable':
      return {
        tone: 'alarm',
        what: t('{who} could not be reached through any channel', { who: somebody(entry.person) }),
      };
    case 'disabled':
      return { tone: 'watch', what: disabledWords(entry) };
    case 'gap':
      return {
        tone: 'watch',
        what: t('Nobody is on call in stage {stage}: skipped', { stage: entry.stage ?? '?' }),
      };
    case 'comment':
      return { tone: 'info', what: t('{who} commented', { who: actorName(entry) }), proof: entry.text };
    case 'expired':
      return {
        tone: 'alarm',
        what: t('Expired: nobody answered'),
        proof:
          entry.notified.length > 0
            ? t('notified: {people}', { people: namesOf(entry.notified) })
            : t('nobody could be notified of the expiry'),
      };
    case 'failed':
      return { tone: 'alarm', what: entry.message };
    case 'stand_by':
      return {
        tone: 'watch',
        what: t('The database was away: the lifeboat of {node} notified', { node: entry.node }),
        proof: t('people and schedules as of {time}', { time: exactTime(entry.copied_at) }),
      };
    case 'duplicate':
      return {
        tone: 'info',
        what: entry.kept
          ? t('The lifeboat of {node} had a page about the same problem, which ended', {
              node: entry.node ?? '',
            })
          : t('Another page about the same problem continues, so this one ended'),
        proof: entry.page_id,
      };
    case 'reminded':
      return { tone: 'alarm', what: remindedWords(entry) };
    case 'paged_again':
      return {
        tone: 'info',
        what: t('{who} paged again', { who: somebody(entry.by) }),
        proof: entry.page_id,
      };
    default:
      return doneWords(entry);
  }
}

/** The person who acted, or the page source with the person whom it names. */
function actorName({ by, source }: { by: Person | null; source?: ActingSource }): string {
  return actorWords(by, source ?? null) ?? t('Somebody');
}

function raisedWords(entry: Extract<TimelineEntry, { kind: 'raised' }>): Words {
  const { by, source, reasons, request_id, drill } = entry;
  const who = source?.name ?? by?.name ?? t('somebody');
  const what = drill ? t('Raised as a drill by {who}', { who }) : t('Raised by {who}', { who });
  return { tone: 'info', what, proof: reasons && reasons.length > 0 ? commas(reasons) : request_id };
}

function repeatedWords(entry: Extract<TimelineEntry, { kind: 'repeated' }>): string {
  const { count, until } = entry;
  const what = repeatWords(entry);
  if (count === 1) return what;
  return t('{what}: {count} times, the last at {time}', { what, count, time: exactTime(until) });
}

function repeatWords({ action, source }: Extract<TimelineEntry, { kind: 'repeated' }>): string {
  const who = somebody(source);
  switch (action) {
    case 'trigger':
      return t('{who} sent it again', { who });
    case 'acknowledge':
      return t('{who} acknowledged it again', { who });
    case 'unacknowledge':
      return t('{who} took back an acknowledgement', { who });
    default:
      return t('{who} resolved it again, which changed nothing', { who });
  }
}

function disabledWords(entry: Extract<TimelineEntry, { kind: 'disabled' }>): string {
  const who = somebody(entry.person);
  if (entry.acknowledged)
    return t('{who}, who acknowledged it, was disabled: the page notifies again', { who });
  const { cancelled } = entry;
  if (cancelled === 0) return t('{who} was disabled: the page no longer waits for them', { who });
  return t(
    '{count, plural, =1 {{who} was disabled: one notification was cancelled} other {{who} was disabled: {count} notifications were cancelled}}',
    { who, count: cancelled },
  );
}

function doneWords(entry: Extract<TimelineEntry, { via: Via }>): Words {
  const way = VIA[entry.via] ?? '';
  const done = { who: actorName(entry), way, via: way ? 'known' : 'none' };
  switch (entry.kind) {
    case 'acknowledged':
      return {
        tone: 'watch',
        what: t('{via, select, none {{who} acknowledged} other {{who} acknowledged {way}}}', done),
      };
    case 'resolved':
      return {
        tone: 'calm',
        what:
          entry.from === 'expired'
            ? t(
                '{via, select, none {{who} marked it as handled} other {{who} marked it as handled {way}}}',
                done,
              )
            : t('{via, select, none {{who} resolved it} other {{who} resolved it {way}}}', done),
      };
    case 'escalated':
      return {
        tone: 'alarm',
        what: t('{via, select, none {{who} escalated} other {{who} escalated {way}}}', done),
      };
    case 'answered_late':
      return {
        tone: 'watch',
        what: t(
          '{via, select, none {{who} answered, after the page had expired} other {{who} answered {way}, after the page had expired}}',
          done,
        ),
      };
    case 'unacknowledged':
      return {
        tone: 'alarm',
        what: t(
          '{via, select, none {{who} un-acknowledged it: it notifies again} other {{who} un-acknowledged it {way}: it notifies again}}',
          done,
        ),
      };
    case 'joined':
      return {
        tone: 'watch',
        what: t('{via, select, none {{who} joined} other {{who} joined {way}}}', done),
      };
    case 'reopened':
      return {
        tone: 'alarm',
        what: t('{via, select, none {{who} reopened the page} other {{who} reopened the page {way}}}', done),
      };
    case 'extended':
      return {
        tone: 'watch',
        what: t(
          '{via, select, none {{who} extended the acknowledgement} other {{who} extended the acknowledgement {way}}}',
          done,
        ),
        proof: untilWords(entry.until),
      };
    case 'snoozed':
      return {
        tone: 'watch',
        what: t('{via, select, none {{who} snoozed the page} other {{who} snoozed the page {way}}}', done),
        proof: untilWords(entry.until),
      };
    case 'undone':
      return { tone: 'watch', what: undoneWords(entry.what, done) };
    case 'added':
      return {
        tone: 'info',
        what: t('{via, select, none {{who} added {people}} other {{who} added {people} {way}}}', {
          ...done,
          people: namesOf(entry.people),
        }),
      };
    case 'reassigned':
      return {
        tone: 'info',
        what: t(
          '{via, select, none {{who} reassigned it to {to}} other {{who} reassigned it to {to} {way}}}',
          { ...done, to: entry.team?.name ?? namesOf(entry.people) },
        ),
      };
  }
}

function undoneWords(what: string, done: Record<'who' | 'way' | 'via', string>): string {
  if (what === 'acknowledgement')
    return t(
      '{via, select, none {{who} undid the acknowledgement} other {{who} undid the acknowledgement {way}}}',
      done,
    );
  if (what === 'resolution')
    return t(
      '{via, select, none {{who} undid the resolution} other {{who} undid the resolution {way}}}',
      done,
    );
  return t('{via, select, none {{who} undid the {what}} other {{who} undid the {what} {way}}}', {
    ...done,
    what,
  });
}

function remindedWords({ person, snoozed }: Extract<TimelineEntry, { kind: 'reminded' }>): string {
  if (!person)
    return snoozed
      ? t('The snooze is over: the people on call are notified again')
      : t('The acknowledgement timed out: the people on call are notified again');
  const who = person.name;
  return snoozed
    ? t('The snooze is over: {who} is notified again', { who })
    : t('The acknowledgement timed out: {who} is notified again', { who });
}

function untilWords(until: string): string {
  return t('notifies again at {time}', { time: exactTime(until) });
}

function notifiedAs({ as, stage, round }: Extract<TimelineEntry, { kind: 'notified' }>): string {
  const again = round > 1;
  if (stage !== null)
    return again ? t('Stage {stage}, round {round}', { stage, round }) : t('Stage {stage}', { stage });
  return {
    backstop: again ? t('Backstop, round {round}', { round }) : t('Backstop'),
    person: tIn('how a person was notified', 'Directly'),
    members: again ? t('Whole team, round {round}', { round }) : t('Whole team'),
    added: tIn('how a person was notified', 'Added'),
    stage: t('Stage'),
    expired: t('Notified of the expiry'),
  }[as];
}

function attemptWords(entry: Attempt): Words {
  const what = outcomeWords(entry);
  return {
    tone: attemptTone(entry),
    what: entry.repeat ? t('{what} · may be a repeat', { what }) : what,
    ...proof(evidence(entry)),
  };
}

/** Calls end; every other channel says that the page is over. */
function allClearWords(entry: Extract<TimelineEntry, { kind: 'all_clear' }>): Words {
  return { tone: 'none', what: allClearWhat(entry), ...proof(entry.error) };
}

function allClearWhat(entry: Extract<TimelineEntry, { kind: 'all_clear' }>): string {
  const notification = channelTo(entry);
  switch (entry.state) {
    case 'sent':
      return entry.channel === 'voice'
        ? t('{notification} was ended', { notification })
        : t('{notification} all-clear accepted', { notification });
    case 'waiting':
      return t('{notification} all-clear is being sent', { notification });
    case 'failed':
      return t('{notification} all-clear refused', { notification });
    case 'cancelled':
      return t('{notification} all-clear was not sent', { notification });
  }
}

function outcomeWords(entry: Attempt): string {
  const { outcome, receipt, attempt, next_at } = entry;
  const notification = channelTo(entry);
  if (receipt) return receiptWords(notification, receipt);
  const values = { notification, attempt };
  const again = attempt > 1;
  switch (outcome) {
    case 'accepted':
      return again
        ? t('{notification} accepted at attempt {attempt}', values)
        : t('{notification} accepted', values);
    case 'refused':
      return again
        ? t('{notification} refused at attempt {attempt}', values)
        : t('{notification} refused', values);
    case 'retry':
      if (next_at)
        return t('{notification} deferred, next try {time}', { notification, time: exactTime(next_at) });
      return again
        ? t('{notification} deferred at attempt {attempt}', values)
        : t('{notification} deferred', values);
    case 'unknown':
      return t('{notification} may or may not have been sent', values);
    default:
      return t('{notification} is being sent', values);
  }
}

/** What the provider reported. A newer release may know other states, which are shown as they are. */
function receiptWords(notification: string, receipt: string): string {
  switch (receipt) {
    case 'accepted':
      return t('{notification} accepted', { notification });
    case 'sent':
      return t('{notification} sent', { notification });
    case 'delivered':
      return t('{notification} delivered', { notification });
    case 'read':
      return t('{notification} read', { notification });
    case 'undelivered':
      return t('{notification} not delivered', { notification });
    case 'failed':
      return t('{notification} failed', { notification });
    default:
      return `${notification} ${receipt}`;
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
    receipt && ended_at && t('accepted {time}', { time: exactTime(ended_at) }),
    receipt_at && t('receipt {time}', { time: exactTime(receipt_at) }),
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
  const values = { channel: capital(shortNameOf(channel)), person: person.name, address };
  // The name of the message within a sentence, such as “SMS to Ada, +49 30 1234567, accepted”.
  return channel === 'browser'
    ? t('{channel} of {person}', values)
    : t('{channel} to {person}, {address},', values);
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
  if (entry.kind === 'attempt') {
    const { address } = entry;
    const values = { channel: capital(shortNameOf(entry.channel)), person: entry.person.name, address };
    return entry.again
      ? t('Again: {channel} to {person}, {address}', values)
      : t('{channel} to {person}, {address}', values);
  }
  const { round } = entry;
  const who = namesOf(entry.people);
  if (entry.as === 'backstop') return t('Then the backstop · {who}', { who });
  if (entry.as === 'members') return t('Then the whole team · {who}', { who });
  const stage = entry.stage ?? '';
  return round > 1
    ? t('Then round {round}, stage {stage} · {who}', { round, stage, who })
    : t('Then stage {stage} · {who}', { stage, who });
}
