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
  return `Hand-off of ${schedule}: ${changes.map(moveText).join('; ')}`;
}

/** `Ada to Ben`; `to Ben` when the people before stay on call. */
function moveText({ from, to }: HandoffChange): string {
  return from.length === 0 ? `to ${names(to)}` : `${names(from)} to ${names(to)}`;
}

/** The note as plain text for a reader in that time zone: first what people wrote, then what the service knows. */
export function noteText(note: Note, timeZone: string): string {
  const when = (at: Temporal.Instant | string) =>
    momentText((typeof at === 'string' ? Temporal.Instant.from(at) : at).epochMilliseconds, timeZone);
  const words = note.text === '' ? [] : [`${note.writer ?? 'Somebody'} wrote:\n${note.text}`];
  const changes = note.changes.map((change) => `Stage ${change.stage}: ${changeText(change)}`);
  return [
    ...words,
    `At ${when(note.at)} (${timeZone}):\n${changes.join('\n')}`,
    pagesText(note, when),
    ...sections(note.facts, when, timeZone),
  ].join('\n\n');
}

function changeText({ from, to }: HandoffChange): string {
  if (from.length === 0) return `${names(to)} went on call as well.`;
  return `${names(from)} handed over to ${names(to)}.`;
}

type When = (at: Temporal.Instant | string) => string;

function pagesText({ since, facts }: Note, when: When): string {
  const { pages, high, expired, titles } = facts.rang;
  if (pages === 0) return `No page since ${when(since)}.`;
  const answers = expired === 0 ? '' : `, ${expired} unanswered`;
  const most = titles.map(({ title, pages: times }) => (times === 1 ? title : `${title} (${times})`));
  return `${counted(pages, 'page')} since ${when(since)}, ${high} at high urgency${answers}: ${most.join('; ')}.`;
}

function sections(facts: HandoffFacts, when: When, zone: string): string[] {
  const { open_pages, windows, problems, covers, gaps, published_at } = facts;
  return [
    ...list('Open pages', open_pages, ({ title, urgency, state }) => `${title} (${urgency}, ${state})`),
    ...list(
      'Maintenance windows and silences',
      windows,
      ({ name, ends_at }) => `${name}, until ${when(ends_at)}`,
    ),
    ...list('Problems', problems, ({ message, fix }) => `${message} ${fix}`),
    ...list(
      'Covers and overrides',
      covers,
      (cover) =>
        `${cover.person.name}${cover.instead_of ? ` instead of ${cover.instead_of.name}` : ''}, ${at(cover, zone)}${cover.is_new ? ' (new)' : ''}`,
    ),
    ...list('Nobody is on call', gaps, (gap) => at(gap, zone)),
    ...(published_at === null ? [] : [`A new plan was published at ${when(published_at)}.`]),
  ];
}

function at(span: { stage: number; starts_at: string; ends_at: string }, zone: string): string {
  const [from, to] = [span.starts_at, span.ends_at].map((text) => Temporal.Instant.from(text));
  return `stage ${span.stage}, ${spanText({ from: from?.epochMilliseconds ?? 0, to: to?.epochMilliseconds ?? 0 }, zone)}`;
}

function list<Item>(
  title: string,
  { items, more }: { items: readonly Item[]; more: number },
  line: (item: Item) => string,
): string[] {
  if (items.length === 0) return [];
  const rest = more === 0 ? [] : [`and ${more} more`];
  return [`${title}:\n${[...items.map(line), ...rest].map((text) => `- ${text}`).join('\n')}`];
}

function names(people: readonly { name: string }[]): string {
  return new Intl.ListFormat('en').format(people.map(({ name }) => name));
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
