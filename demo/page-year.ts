import type { Via } from '../src/pages/event-contract.ts';
import type { Urgency } from '../src/people/contract.ts';
import { isAwake } from './page-deliveries.ts';
import { type Answer, type PageHistory, type Raised, runPage } from './page-run.ts';
import { COMMENTS, PAGE_TEXTS, type PageText, PERSON_TEXTS } from './page-texts.ts';
import type { TeamSlug } from './people.ts';
import type { Random } from './random.ts';
import { ladderAt, type Scene } from './rota.ts';

/** A page of the example and its text. */
export type ExamplePage = { history: PageHistory; about: PageText; team: TeamSlug | null };

/** Credentials that page: API keys of programs and sessions of people. */
export type Sources = { userId: string; credential: string }[];

const MINUTE = 60_000;
const DAYS = 364;
/** Pages per day of each team; an occasional bad day has more. */
const RATES: Record<TeamSlug, number> = { platform: 0.5, payments: 0.32, data: 0.28 };
const BAD_DAY = 0.03;

/** A year of pages, oldest first, and those that are open now. */
export function yearOfPages(scene: Scene, sources: Sources, random: Random): ExamplePage[] {
  const pages: ExamplePage[] = [];
  const lately = new Map<TeamSlug, PageText[]>();
  // The last day is generated separately, so that its pages are either over or open now.
  for (let day = -DAYS; day < -1; day++)
    for (const { slug, id } of scene.teams)
      for (const at of times(scene, day, RATES[slug], random)) {
        const about = anotherThan(lately.get(slug) ?? [], PAGE_TEXTS[slug], random);
        lately.set(slug, [about, ...(lately.get(slug) ?? [])].slice(0, 5));
        const raised = raise(about, { kind: 'team', id }, at, sources, random);
        pages.push({ history: answered(scene, raised, random), about, team: slug });
      }
  for (let week = 0; week < 40; week++) pages.push(toPerson(scene, sources, random));
  return [...pages, ...lastDay(scene, sources, random)].toSorted((a, b) =>
    Temporal.Instant.compare(a.history.page.created_at, b.history.page.created_at),
  );
}

/** The same text seldom repeats within a short time. */
function anotherThan(lately: readonly PageText[], all: readonly PageText[], random: Random): PageText {
  return random.pick(all.filter((text) => !lately.includes(text)));
}

/** Times of a day's pages: mostly during working hours, half as many at weekends, some at night. */
function times(scene: Scene, day: number, rate: number, random: Random): Temporal.Instant[] {
  const midnight = scene.now.toZonedDateTimeISO('Europe/Berlin').startOfDay().add({ days: day });
  const usual = midnight.dayOfWeek > 5 ? rate / 2 : rate;
  const count = random.chance(BAD_DAY)
    ? random.whole(3, 6)
    : [usual, usual / 4].filter((probability) => random.chance(probability)).length;
  return Array.from({ length: count }, () => {
    const hours = random.chance(0.6) ? random.whole(8, 18) : random.whole(0, 23);
    return midnight.add({ hours, milliseconds: random.whole(0, 60 * MINUTE) }).toInstant();
  });
}

function toPerson(scene: Scene, sources: Sources, random: Random): ExamplePage {
  const about = random.pick(PERSON_TEXTS);
  const id = random.pick([...scene.members.keys()]);
  const at = scene.now.subtract({ minutes: random.whole(3 * 24 * 60, DAYS * 24 * 60) });
  const raised = raise(about, { kind: 'person', id }, at, sources, random);
  return { history: answered(scene, raised, random), about, team: null };
}

function raise(
  about: PageText,
  to: Raised['to'],
  at: Temporal.Instant,
  sources: Sources,
  random: Random,
  urgency: Urgency = about.alert
    ? random.pick(['high', 'high', 'medium'])
    : random.pick(['high', 'medium', 'medium', 'low']),
): Raised {
  const { userId, credential } = random.pick(sources);
  const sourceUrl = about.alert
    ? `https://grafana.example.com/d/${about.alert.toLowerCase()}?var-instance=${about.instance}`
    : null;
  const { title, text } = about;
  return { at, to, title, text, sourceUrl, urgency, raisedBy: userId, credential };
}

function answered(scene: Scene, raised: Raised, random: Random): PageHistory {
  return runPage(scene, raised, answerTo(scene, raised, random), random);
}

/** Median minutes to acknowledge by day; nights take longer. */
const MEDIAN_MINUTES: Record<Urgency, number> = { high: 1.9, medium: 6.5, low: 42 };

function answerTo(scene: Scene, raised: Raised, random: Random): Answer {
  const { urgency, to } = raised;
  const isNight = sleeps(scene, raised);
  if (urgency !== 'low' && random.chance(isNight ? 0.03 : 0.006)) return neverAnswered(random);
  const minutes = random.around(MEDIAN_MINUTES[urgency] * (isNight ? 2.4 : 1), 0.85);
  const latest = to.kind === 'person' ? 9 : urgency === 'high' ? 40 : urgency === 'medium' ? 100 : 900;
  const acknowledgedAfterMs = Math.round(Math.min(Math.max(minutes, 0.2), latest) * MINUTE);
  const workMs = Math.min(random.around(26, 0.9), 400) * MINUTE;
  const resolvedAfterMs = Math.round(acknowledgedAfterMs + Math.max(workMs, 2 * MINUTE));
  const via = random.pick<Via>(
    isNight ? ['sms', 'voice', 'voice', 'link', 'dashboard'] : ['chat', 'chat', 'dashboard', 'link', 'sms'],
  );
  return {
    acknowledgedAfterMs,
    via,
    resolvedAfterMs,
    comments: comments(acknowledgedAfterMs, resolvedAfterMs, random),
  };
}

/** A page that expired and was resolved later that day. */
function neverAnswered(random: Random): Answer {
  return {
    acknowledgedAfterMs: null,
    via: 'dashboard',
    resolvedAfterMs: random.whole(9, 14) * 60 * MINUTE,
    comments: [],
  };
}

/** Whether the person who is notified first is asleep. */
function sleeps(scene: Scene, { to, at }: Raised): boolean {
  const first =
    to.kind === 'person'
      ? to.id
      : ladderAt(scene, to.id, at).stages.flatMap(({ people }) => people)[0]?.userId;
  const member = scene.members.get(first ?? '');
  return member !== undefined && !isAwake(member, at);
}

function comments(from: number, to: number, random: Random): Answer['comments'] {
  const count = random.chance(0.4) ? random.whole(1, 2) : 0;
  return Array.from({ length: count }, () => random.whole(from + 1_000, to - 1_000))
    .toSorted((a, b) => a - b)
    .map((afterMs) => ({ afterMs, text: random.pick(COMMENTS) }));
}

/**
 * The last day: some pages that are over, one that expired, two in progress, and one that nobody has acknowledged yet.
 */
function lastDay(scene: Scene, sources: Sources, random: Random): ExamplePage[] {
  const open = (
    slug: TeamSlug,
    index: number,
    minutesAgo: number,
    urgency: Urgency,
    answer: Partial<Answer>,
  ): ExamplePage[] => {
    const about = PAGE_TEXTS[slug][index];
    const team = scene.teams.find((one) => one.slug === slug);
    if (!about || !team) return [];
    const at = scene.now.subtract({ minutes: minutesAgo });
    const raised = raise(about, { kind: 'team', id: team.id }, at, sources, random, urgency);
    const whole = {
      acknowledgedAfterMs: null,
      via: 'chat' as const,
      resolvedAfterMs: null,
      comments: [],
      ...answer,
    };
    return [{ history: runPage(scene, raised, whole, random), about, team: slug }];
  };
  return [
    ...open('data', 0, 22 * 60, 'high', { acknowledgedAfterMs: 1.7 * MINUTE, resolvedAfterMs: 51 * MINUTE }),
    ...open('platform', 0, 15 * 60, 'high', {
      acknowledgedAfterMs: 3.2 * MINUTE,
      resolvedAfterMs: 38 * MINUTE,
      via: 'sms',
      comments: [{ afterMs: 16 * MINUTE, text: 'Dropped two partitions of last year. 61 % now.' }],
    }),
    ...open('data', 4, 18 * 60, 'high', {}),
    ...open('payments', 5, 9 * 60, 'medium', {
      acknowledgedAfterMs: 11 * MINUTE,
      resolvedAfterMs: 70 * MINUTE,
    }),
    ...open('platform', 1, 26, 'high', {
      acknowledgedAfterMs: 7.6 * MINUTE,
      via: 'voice',
      comments: [{ afterMs: 11 * MINUTE, text: 'Rolling back to the release before. Ten minutes.' }],
    }),
    ...open('payments', 1, 131, 'medium', { acknowledgedAfterMs: 4.1 * MINUTE }),
    ...open('data', 3, 47, 'low', {}),
  ];
}
