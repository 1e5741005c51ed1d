import { instantText } from '../src/kit/instant.ts';
import type { ExamplePage } from './page-year.ts';
import type { Random } from './random.ts';
import {
  ALERTS_FROM,
  alertGroup,
  type Body,
  ERRORS,
  heartbeat,
  NOISE,
  REPORTS,
  SENDERS,
  type SenderName,
  SITES,
  sentryIssue,
  UNREADABLE,
} from './senders.ts';

/** One call that was received. `page`: the page that was raised about the same thing. */
export type ExampleCall = { sender: SenderName; at: Temporal.Instant; body: string; page: string | null };

const DAYS = 364;
const MINUTES_A_DAY = 24 * 60;

/** A year of calls, oldest first: those about pages, and more that needed no page. */
export function yearOfCalls(
  now: Temporal.Instant,
  pages: readonly ExamplePage[],
  random: Random,
): ExampleCall[] {
  const calls = [
    ...pages.flatMap((page) => callsOfPage(page, now)),
    ...unreadable(now, random),
    ...stillOpen(now, random),
  ];
  for (const sender of Object.keys(SENDERS) as SenderName[]) {
    for (let day = DAYS; day > 1; day--)
      if (random.chance(SENDERS[sender].rate)) {
        const at = now.subtract({ minutes: day * MINUTES_A_DAY - random.whole(0, MINUTES_A_DAY - 30) });
        const minutes = Math.round(Math.min(random.around(24, 1), 900));
        calls.push(...story(sender, at, at.add({ minutes: Math.max(minutes, 2) }), random));
      }
  }
  return calls.toSorted((a, b) => Temporal.Instant.compare(a.at, b.at));
}

function callsOfPage({ history, about, team }: ExamplePage, now: Temporal.Instant): ExampleCall[] {
  const { id, created_at, resolved_at, urgency } = history.page;
  if (!team || !about.alert) return [];
  const sender = ALERTS_FROM[team];
  const began = created_at.subtract({ seconds: 50 });
  const severity = urgency === 'high' ? 'critical' : 'warning';
  const group = (end: string | null) => alertGroup(about, severity, instantText(began), end);
  const over = resolved_at?.subtract({ seconds: 40 });
  return [
    callOf(sender, began.add({ seconds: 8 }), group(null), id),
    ...(over && !isAfter(over, now) ? [callOf(sender, over, group(instantText(over)), id)] : []),
  ];
}

/** The call that opens a moment, and the one that resolves it if the sender reports that. */
function story(
  sender: SenderName,
  at: Temporal.Instant,
  over: Temporal.Instant | null,
  random: Random,
): ExampleCall[] {
  const bodies = bodiesOf(sender, at, over, random);
  return [
    callOf(sender, at, bodies.begin),
    ...(over && bodies.end ? [callOf(sender, over, bodies.end)] : []),
  ];
}

function bodiesOf(
  sender: SenderName,
  at: Temporal.Instant,
  over: Temporal.Instant | null,
  random: Random,
): { begin: Body; end: Body | null } {
  const began = instantText(at);
  const ended = instantText(over ?? at);
  if (sender === 'uptime') {
    const site = random.pick(SITES);
    const id = 11 + SITES.indexOf(site);
    return { begin: heartbeat(site, id, false, began), end: heartbeat(site, id, true, ended) };
  }
  if (sender === 'errors') {
    const [title, level] = random.pick(ERRORS);
    const id = Math.floor(at.epochMilliseconds / 1_000);
    return {
      begin: sentryIssue(id, title, level, false, began),
      end: sentryIssue(id, title, level, true, ended),
    };
  }
  if (sender === 'depots') {
    const [type, name, description] = random.pick(REPORTS);
    const source = random.pick(['Depot Porto', 'Depot Leipzig', 'Depot Osaka']);
    return { begin: { type, name, description, source, occurred_at: began }, end: null };
  }
  const about = random.pick(NOISE);
  return {
    begin: alertGroup(about, 'warning', began, null),
    end: alertGroup(about, 'warning', began, ended),
  };
}

function unreadable(now: Temporal.Instant, random: Random): ExampleCall[] {
  return UNREADABLE.flatMap(([sender, body, times]) =>
    Array.from({ length: times }, () => {
      const at = now.subtract({ minutes: random.whole(12, 16 * 60) });
      return { sender, at, body, page: null };
    }),
  );
}

/** Minutes since the start of moments that are still open. */
const OPEN: readonly (readonly [SenderName, number])[] = [
  ['uptime', 19],
  ['errors', 170],
  ['prometheus', 640],
  ['depots', 20 * 60],
  ['depots', 31 * 60],
];

function stillOpen(now: Temporal.Instant, random: Random): ExampleCall[] {
  return OPEN.flatMap(([sender, minutes]) => story(sender, now.subtract({ minutes }), null, random));
}

function callOf(
  sender: SenderName,
  at: Temporal.Instant,
  body: Body,
  page: string | null = null,
): ExampleCall {
  return { sender, at, body: JSON.stringify(body), page };
}

function isAfter(a: Temporal.Instant, b: Temporal.Instant): boolean {
  return Temporal.Instant.compare(a, b) > 0;
}
