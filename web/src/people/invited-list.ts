import { t } from '../language/t.ts';
/** The most people that one list may invite; each is one invitation and one mail. */
export const MOST_INVITED = 50;

export type Invitee = { id: string; email: string; name: string };

/**
 * Reads a pasted list of people: `Ada Lovelace <ada@example.com>`, `ada@example.com, Ada Lovelace` or only an address on
 * each line; addresses without names may also be separated by commas, semicolons or spaces. A person who stands there
 * twice is invited once. `problems` are sentences.
 */
export function readInvitees(text: string): { people: Invitee[]; problems: string[] } {
  const people = new Map<string, Invitee>();
  const problems: string[] = [];
  for (const line of text.split(/[\n;]/)) {
    if (!line.trim()) continue;
    const read = readLine(line.trim());
    if (read.length === 0)
      problems.push(t('“{line}” contains no complete email address.', { line: line.trim().slice(0, 80) }));
    for (const one of read) if (!people.has(one.id)) people.set(one.id, one);
  }
  if (people.size > MOST_INVITED)
    problems.push(
      t('You entered {count} people; the most at a time is {most}. Invite the others afterwards.', {
        count: people.size,
        most: MOST_INVITED,
      }),
    );
  return { people: [...people.values()], problems };
}

const ADDRESS = /[^\s<>,;"()]+@[^\s<>,;"()]+\.[^\s<>,;"()]+/g;

function readLine(line: string): Invitee[] {
  const addresses = line.match(ADDRESS) ?? [];
  const [only] = addresses;
  if (addresses.length !== 1 || only === undefined) return addresses.map((email) => invitee(email, ''));
  const name = line
    .replace(only, '')
    .replace(/[<>(),"\t]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return [invitee(only, name.slice(0, 200))];
}

function invitee(email: string, name: string): Invitee {
  return { id: email.toLowerCase(), email, name };
}
