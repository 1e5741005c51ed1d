import type { KEPT_CACHE, KEPT_PATH, Kept, KeptPerson, OfflineText } from './kept.ts';

/**
 * Answers “am I on call, and whom do I call” without a network, from what the device kept. It is a document of its own
 * without any library, because the dashboard cannot be loaded now.
 */

// Types keep these the same as those of the dashboard; an import would become a file that is not kept.
const CACHE: typeof KEPT_CACHE = 'tocsin-on-call';
const PATH: typeof KEPT_PATH = '/offline/on-call.json';

/** The texts of the list that is shown; those of the code while there is none. */
let words: Kept['words'];

const main = document.getElementById('main') as HTMLElement;

void show();
window.addEventListener('online', () => window.location.reload());
setInterval(() => void show(), 60_000);

async function show(): Promise<void> {
  const kept = await read();
  const now = Date.now();
  words = kept?.words;
  document.documentElement.lang = kept?.locale ?? 'en';
  document.title = `${say('Not connected')} · Tocsin`;
  main.replaceChildren(
    element('h1', say('Not connected')),
    element('p', say('Pages cannot reach this app now. SMS and phone calls still can.'), 'muted'),
    ...(kept ? list(kept, now) : [element('p', nothingKept(), 'card')]),
    again(),
  );
}

async function read(): Promise<Kept | null> {
  const cache = await caches.open(CACHE).catch(() => null);
  const kept = (await (await cache?.match(PATH))?.json().catch(() => null)) as Kept | null | undefined;
  return kept?.version === 1 ? kept : null;
}

function nothingKept(): string {
  return say(
    'This device keeps no on-call list. It does so while you are signed in to Tocsin and connected.',
  );
}

function list(kept: Kept, now: number): HTMLElement[] {
  const time = formatOf(kept);
  const saved = element(
    'p',
    say('Saved {time}, before the connection was lost.', { time: time(kept.saved_at) }),
    'muted',
  );
  if (now >= Date.parse(kept.until))
    return [
      element('p', say('The saved list is over 14 days old, so it no longer says who is on call.'), 'card'),
      saved,
    ];
  return [you(kept, now, time), ...kept.schedules.map((schedule) => card(schedule, now, time)), saved];
}

type Schedule = Kept['schedules'][number];
type Shift = Schedule['shifts'][number];
type Format = (at: string) => string;

function you({ viewer, schedules }: Kept, now: number, time: Format): HTMLElement {
  const mine = schedules
    .flatMap(({ name, shifts }) => shifts.filter((shift) => shift.mine).map((shift) => ({ name, ...shift })))
    .toSorted((a, b) => a.from.localeCompare(b.from));
  const current = mine.filter((shift) => isNow(shift, now));
  const next = mine.find(({ from }) => Date.parse(from) > now);
  const box = element('section', '', 'card');
  const { name: viewerName } = viewer;
  const said =
    current.length > 0
      ? say('{name}, you are on call.', { name: viewerName })
      : say('{name}, you are not on call now.', { name: viewerName });
  const answer = element('p', said, 'you');
  if (current.length > 0) answer.dataset.on = '';
  box.append(answer);
  for (const { name: schedule, stage, to } of current)
    box.append(
      element('p', say('{schedule}, stage {stage}, until {time}.', { schedule, stage, time: time(to) })),
    );
  if (next) {
    const { name: schedule, stage, from } = next;
    box.append(
      element(
        'p',
        say('Next: {time}, {schedule}, stage {stage}.', { time: time(from), schedule, stage }),
        'muted',
      ),
    );
  }
  return box;
}

function card({ name, team, shifts, backstop }: Schedule, now: number, time: Format): HTMLElement {
  const box = element('section', '', 'card');
  box.append(element('h2', team === name ? name : `${name} · ${team}`));
  const current = shifts.filter((shift) => isNow(shift, now)).toSorted((a, b) => a.stage - b.stage);
  if (current.length === 0) box.append(element('p', say('Nobody is on call now.'), 'none'));
  const people = element('ul', '');
  for (const { person, stage, to, mine } of current) {
    const text = mine ? 'stage {stage}, until {time} (you)' : 'stage {stage}, until {time}';
    people.append(entry(person, say(text, { stage, time: time(to) }), !mine));
  }
  if (backstop) people.append(entry(backstop, say('backstop'), true));
  box.append(people);
  return box;
}

function isNow({ from, to }: Shift, now: number): boolean {
  return Date.parse(from) <= now && now < Date.parse(to);
}

/** A person, with the ways to call them; nobody calls themselves. */
function entry(person: KeptPerson, about: string, isCalled: boolean): HTMLElement {
  const item = element('li', '');
  item.append(element('b', person.name), document.createTextNode(' '), element('span', about, 'muted'));
  if (!isCalled) return item;
  const ways = element('div', '', 'ways');
  for (const phone of person.phones)
    ways.append(link(say('Call {number}', { number: phone }), `tel:${phone.replace(/[^+\d]/g, '')}`));
  ways.append(link(person.email, `mailto:${person.email}`));
  item.append(ways);
  return item;
}

function link(text: string, href: string): HTMLElement {
  const made = element('a', text);
  made.setAttribute('href', href);
  return made;
}

function again(): HTMLElement {
  const button = element('button', say('Try again'));
  button.addEventListener('click', () => window.location.reload());
  const row = element('div', '', 'ways');
  row.append(button);
  return row;
}

/** A text in the language of the dashboard that kept the list, with its arguments filled in. */
function say(text: OfflineText, values: Readonly<Record<string, string | number>> = {}): string {
  return (words?.[text] ?? text).replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** Texts are set as text, never as markup. */
function element(name: string, text: string, className?: string): HTMLElement {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function formatOf({ viewer, locale }: Kept): Format {
  const options: Intl.DateTimeFormatOptions = {
    ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
    timeZone: viewer.zone,
    ...(viewer.twelveHours === null ? {} : { hourCycle: viewer.twelveHours ? 'h12' : 'h23' }),
  };
  const format = new Intl.DateTimeFormat(locale ?? navigator.language, options);
  return (at) => format.format(new Date(at));
}
