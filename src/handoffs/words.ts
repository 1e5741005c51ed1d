import { locale, t, tIn } from '../language/contract.ts';
import { storedText } from '../language/stored.ts';
import { inWords } from '../pages/own-texts-contract.ts';
import { momentText, spanText } from '../schedules/span-text.ts';
import type { HandoffChange, HandoffFacts } from './contract.ts';

export type Note = {
  at: Temporal.Instant;
  since: Temporal.Instant;
  changes: readonly HandoffChange[];
  text: string;
  /** The name of the person who wrote the text; null if nobody did. */
  writer: string | null;
  facts: HandoffFacts;
};

/** `Hand-off of Primary: Ada to Ben` */
export function subjectOf(schedule: string, changes: readonly HandoffChange[]): string {
  return t('Hand-off of {schedule}: {changes}', { schedule, changes: changes.map(moveText).join('; ') });
}

/** `Ada to Ben`; `to Ben` when the people before stay on call. */
function moveText({ from, to }: HandoffChange): string {
  return from.length === 0
    ? tIn('a hand-off', 'to {to}', { to: names(to) })
    : tIn('a hand-off', '{from} to {to}', { from: names(from), to: names(to) });
}

/**
 * The note as plain text for a reader in that time zone: first the text that people wrote, then the service's
 * information.
 */
export function noteText(note: Note, timeZone: string): string {
  const when = (at: Temporal.Instant | string) =>
    momentText((typeof at === 'string' ? Temporal.Instant.from(at) : at).epochMilliseconds, timeZone);
  const words =
    note.text === ''
      ? []
      : [`${note.writer ? t('{who} wrote:', { who: note.writer }) : t('Somebody wrote:')}\n${note.text}`];
  const changes = note.changes.map((change) =>
    t('Stage {stage}: {change}', { stage: change.stage, change: changeText(change) }),
  );
  return [
    ...words,
    `${t('At {when} ({zone}):', { when: when(note.at), zone: timeZone })}\n${changes.join('\n')}`,
    pagesText(note, when),
    ...sections(note.facts, when, timeZone),
  ].join('\n\n');
}

function changeText({ from, to }: HandoffChange): string {
  if (from.length === 0) return t('{names} went on call as well.', { names: names(to) });
  return t('{from} handed over to {to}.', { from: names(from), to: names(to) });
}

type When = (at: Temporal.Instant | string) => string;

function pagesText({ since, facts }: Note, when: When): string {
  const { pages, high, expired, titles } = shownFacts(facts).rang;
  if (pages === 0) return t('There have been no pages since {when}.', { when: when(since) });
  const most = titles.map(({ title, pages: times }) => (times === 1 ? title : `${title} (${times})`));
  const values = { pages, high, expired, when: when(since), titles: most.join('; ') };
  return expired === 0
    ? t(
        '{pages, plural, one {# page} other {# pages}} since {when}, {high} at high urgency: {titles}.',
        values,
      )
    : t(
        '{pages, plural, one {# page} other {# pages}} since {when}, {high} at high urgency, {expired} unanswered: {titles}.',
        values,
      );
}

function sections(facts: HandoffFacts, when: When, zone: string): string[] {
  const { open_pages, windows, problems, covers, gaps, published_at } = shownFacts(facts);
  return [
    ...list(
      t('Open pages'),
      open_pages,
      ({ title, urgency, state }) => `${title} (${urgencyWord(urgency)}, ${stateWord(state)})`,
    ),
    ...list(t('Maintenance windows and silences'), windows, ({ name, ends_at }) =>
      t('{name}, until {when}', { name, when: when(ends_at) }),
    ),
    ...list(t('Problems'), problems, ({ message, fix }) => `${message} ${fix}`),
    ...list(t('Covers and overrides'), covers, (cover) => coverText(cover, zone)),
    ...list(t('Nobody is on call'), gaps, (gap) => at(gap, zone)),
    ...(published_at === null
      ? []
      : [t('A new plan was published at {when}.', { when: when(published_at) })]),
  ];
}

/** The facts with their stored texts in the language of the reader. */
export function shownFacts(facts: HandoffFacts): HandoffFacts {
  const { problems, open_pages, rang } = facts;
  const items = problems.items.map(({ message, fix }) => ({
    message: storedText(message),
    fix: storedText(fix),
  }));
  return {
    ...facts,
    rang: { ...rang, titles: rang.titles.map(inWords) },
    open_pages: { ...open_pages, items: open_pages.items.map(inWords) },
    problems: { ...problems, items },
  };
}

type OpenPage = HandoffFacts['open_pages']['items'][number];

function coverText(cover: HandoffFacts['covers']['items'][number], zone: string): string {
  const who = cover.person.name;
  const when = at(cover, zone);
  const text = cover.instead_of
    ? t('{who} instead of {other}, {when}', { who, other: cover.instead_of.name, when })
    : t('{who}, {when}', { who, when });
  return cover.is_new ? t('{text} (new)', { text }) : text;
}

function urgencyWord(urgency: OpenPage['urgency']): string {
  return {
    high: () => tIn('urgency', 'high'),
    medium: () => tIn('urgency', 'medium'),
    low: () => tIn('urgency', 'low'),
  }[urgency]();
}

function stateWord(state: OpenPage['state']): string {
  return state === 'notifying' ? tIn('a page', 'notifying') : tIn('a page', 'acknowledged');
}

function at(span: { stage: number; starts_at: string; ends_at: string }, zone: string): string {
  const [from, to] = [span.starts_at, span.ends_at].map((text) => Temporal.Instant.from(text));
  return t('stage {stage}, {span}', {
    stage: span.stage,
    span: spanText({ from: from?.epochMilliseconds ?? 0, to: to?.epochMilliseconds ?? 0 }, zone),
  });
}

function list<Item>(
  title: string,
  { items, more }: { items: readonly Item[]; more: number },
  line: (item: Item) => string,
): string[] {
  if (items.length === 0) return [];
  const rest = more === 0 ? [] : [t('and {count} more', { count: more })];
  return [`${title}:\n${[...items.map(line), ...rest].map((text) => `- ${text}`).join('\n')}`];
}

function names(people: readonly { name: string }[]): string {
  return new Intl.ListFormat(locale()).format(people.map(({ name }) => name));
}
