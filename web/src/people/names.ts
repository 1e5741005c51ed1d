import { t } from '../language/t.ts';

/** `Ada`, `Ada and Grace`, `Ada, Grace and 2 more`. */
export function namesOf(people: readonly { name: string }[]): string {
  const [one = '', two = '', three = ''] = people.map(({ name }) => name);
  if (people.length <= 1) return one;
  if (people.length === 2) return t('{one} and {two}', { one, two });
  if (people.length === 3) return t('{one}, {two} and {three}', { one, two, three });
  return t('{one}, {two} and {count} more', { one, two, count: people.length - 2 });
}
