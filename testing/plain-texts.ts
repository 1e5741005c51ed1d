import type { Page, Response } from 'playwright-core';

/** Letters that the made-up language accents; a word with one of them that has no accent did not come from the catalogue. */
const PLAIN = /[abcdeghiklnorstuwyz]/;
const WORD = /\p{L}[\p{L}’']*/gu;
const ACCENTED = /[^\p{ASCII}’]/u;

/** Addresses, ids and names of hosts, which are the same in every language. */
const CODES = /\S+:\/\/\S*|\S+@\S+|\w+_\S+|[\w-]+(?:\.[\w-]+)+/g;

/** Names of days and months, which the browser writes, of keys, files and formats, and of the product. */
const SAME_EVERYWHERE = [
  'Tocsin',
  ...[
    'CSV',
    'UTC',
    'API',
    'URL',
    'iCal',
    'JSON',
    'SMS',
    'Slack',
    'Twilio',
    'xoxb',
    'KiB',
    'MiB',
    'pid',
    'GMT',
    'CET',
    'CEST',
  ],
  ...Array.from({ length: 7 }, (_, day) => Date.UTC(2024, 0, day + 1)).flatMap((at) =>
    (['long', 'short'] as const).map((weekday) => new Intl.DateTimeFormat('en-GB', { weekday }).format(at)),
  ),
  ...Array.from({ length: 12 }, (_, month) => Date.UTC(2024, month, 1)).flatMap((at) =>
    (['long', 'short'] as const).map((month) => new Intl.DateTimeFormat('en-GB', { month }).format(at)),
  ),
];

/**
 * Sentences in the answers that the dashboard gets from now on. They are data to it: the service writes them in its own
 * catalogue. Single words do not count, because states and roles come as words and have names in the dashboard's catalogue.
 */
export function sentencesOfAnswers(page: Page): { all(): Promise<Set<string>> } {
  const found = new Set<string>();
  const reading: Promise<void>[] = [];
  const read = async (response: Response) => collect(await response.json().catch(() => null), found);
  page.on('response', (response) => {
    const isStream = response.headers()['content-type']?.startsWith('text/event-stream');
    if (new URL(response.url()).pathname.startsWith('/api/') && !isStream) reading.push(read(response));
  });
  return {
    async all() {
      await Promise.all(reading);
      return found;
    },
  };
}

function collect(value: unknown, found: Set<string>): void {
  if (typeof value === 'string') {
    if (/\s/.test(value)) found.add(value);
  } else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) collect(one, found);
}

/**
 * The texts of a view in the made-up language that hold a word outside of the catalogue, with the element around each.
 * `data`: names and sentences that the story made.
 */
export async function plainTexts(page: Page, data: Iterable<string>): Promise<string[]> {
  const known = [...data, ...SAME_EVERYWHERE]
    // Some views show a sentence of an answer within another one.
    .map((one) => one.replace(/\.$/, ''))
    .toSorted((a, b) => b.length - a.length)
    .map((one) => new RegExp(`(?<!\\p{L})${one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\p{L})`, 'giu'));
  const shown = (await page.evaluate(SHOWN)) as { text: string; place: string }[];
  return shown
    .filter(({ text }) => {
      const named = known.reduce((left, one) => left.replace(one, ' '), text);
      const rest = named.replace(CODES, ' ').toLowerCase();
      return (rest.match(WORD) ?? []).some(
        // Two letters are the initials of a person.
        (word) => !/^\p{L}{1,2}$/u.test(word) && PLAIN.test(word) && !ACCENTED.test(word),
      );
    })
    .map(({ text, place }) => `${place}: ${text}`);
}

/** Visible text and the texts of attributes; code is the same in every language. */
const SHOWN = `(() => {
  const shown = [];
  const place = (element) => element.tagName.toLowerCase() + (element.id ? '#' + element.id : '');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (!text || !parent || parent.closest('script, style, noscript, code, pre, kbd, [aria-hidden=true], .kbd, .mono, [class*="markdown"]') || !parent.checkVisibility()) continue;
    shown.push({ text, place: place(parent) });
  }
  for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
    if (element.checkVisibility() && !element.closest('[aria-hidden=true]'))
      for (const name of ['aria-label', 'title', 'placeholder'])
        if (element.getAttribute(name)) shown.push({ text: element.getAttribute(name), place: place(element) + ' ' + name });
  shown.push({ text: document.title, place: 'title' });
  return shown;
})()`;
