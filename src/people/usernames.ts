import { emailKey } from './email.ts';
import type { User } from './store.ts';

export const USERNAME_HINT = 'a handle without spaces or @, such as ada.l';

/** People say and type usernames, so these must not look like an email address or like two words. */
export function isUsername(text: string): boolean {
  return /^[^\s@\p{Cc}]+$/u.test(text);
}

/** The username of a person for whom none was given. */
function defaultUsername(email: string): string {
  return [...(emailKey(email).split('@')[0] ?? '')].slice(0, 90).join('');
}

/**
 * The username of each of these people, by email key: the given one, otherwise the current one, otherwise the part of
 * the address before the @, with a number if it is taken.
 */
export function assignUsernames(
  people: readonly { email: string; username: string | undefined }[],
  users: readonly User[],
): Map<string, string> {
  const existing = new Map(users.map((user) => [emailKey(user.email), user]));
  const assigned = new Map<string, string>();
  for (const { email, username } of people) {
    const name = username ?? existing.get(emailKey(email))?.username;
    if (name !== undefined) assigned.set(emailKey(email), name);
  }
  const others = users.filter((user) => !assigned.has(emailKey(user.email)) && user.disabledAt === null);
  const taken = new Set([...assigned.values(), ...others.map((user) => user.username)].map(fold));
  for (const { email } of people) {
    const key = emailKey(email);
    if (assigned.has(key)) continue;
    const name = freeName(defaultUsername(key), taken);
    taken.add(fold(name));
    assigned.set(key, name);
  }
  return assigned;
}

function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(fold(wanted))) return wanted;
  for (let number = 2; ; number++) {
    const name = `${wanted}-${number}`;
    if (!taken.has(fold(name))) return name;
  }
}

function fold(username: string): string {
  return username.toLowerCase();
}

/**
 * The people whose usernames must be freed before the new ones are written: people who get another one, and disabled
 * people whose username is needed.
 */
export function usersInTheWay(usernames: ReadonlyMap<string, string>, users: readonly User[]): string[] {
  const wanted = new Map([...usernames].map(([key, name]) => [fold(name), key]));
  return users
    .filter((user) => {
      const owner = wanted.get(fold(user.username));
      return owner !== undefined && owner !== emailKey(user.email);
    })
    .map((user) => user.id);
}
