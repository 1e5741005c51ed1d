import { locale, t } from '../language/contract.ts';

/** The result of a manual escalation. */
export type Escalated = {
  /** The names of the people whom it notifies now. Empty if everybody who can be reached was already notified. */
  people: readonly string[];
  /** All of them had already been notified of this page. */
  again: boolean;
};

const MOST_NAMES = 4;

/** The answer to a person who escalated a page, in the dashboard, the API, a chat, a call and a page source. */
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
