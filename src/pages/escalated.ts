import { locale, t } from '../language/contract.ts';

/** What an escalation by hand did. */
export type Escalated = {
  /** The names of the people whom it notifies now. Empty: everybody who can be reached was notified before. */
  people: readonly string[];
  /** All of them were notified of this page before. */
  again: boolean;
};

const MOST_NAMES = 4;

/** What a person who escalated a page is answered, at every door: dashboard, API, chat, phone and page source. */
export function escalatedText({ people, again }: Escalated): string {
  if (people.length === 0)
    return t('Escalated, but there is nobody else to notify. Add people to the page, or reassign it.');
  const values = { people: named(people), count: people.length };
  return again
    ? t('Escalated: {people} {count, plural, one {is notified again} other {are notified again}}.', values)
    : t('Escalated: {people} {count, plural, one {is notified} other {are notified}}.', values);
}

function named(people: readonly string[]): string {
  const shown = people.slice(0, people.length > MOST_NAMES ? MOST_NAMES - 1 : MOST_NAMES);
  const more = people.length - shown.length;
  return new Intl.ListFormat(locale()).format([
    ...shown,
    ...(more > 0 ? [t('{count, plural, one {# other} other {# others}}', { count: more })] : []),
  ]);
}
