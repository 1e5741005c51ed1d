import { USUAL_WORDS } from './sources-api-contract.ts';

/** The usual words of earlier releases, which calendars followed since then still carry. */
const FORMER_USUAL = [
  ...['ooo', 'out of office', 'vacation', 'holiday', 'leave', 'pto', 'away', 'absent', 'sick', 'off'],
];

/** A title with one of these after the word is about absences, and nobody is away: "PTO policy", "Urlaub planen". */
const ABOUT = [
  ...[
    'policy',
    'policies',
    'plan',
    'plans',
    'planning',
    'planner',
    'party',
    'parties',
    'calendar',
    'calendars',
  ],
  ...['request', 'requests', 'approval', 'approvals', 'form', 'review', 'meeting', 'training', 'workshop'],
  ...['schedule', 'budget', 'tracker', 'tracking', 'sync', 'discussion', 'process', 'system', 'tool', 'list'],
  ...['planen', 'planung', 'beantragen', 'antrag', 'antrage', 'feier', 'regelung', 'demande', 'demandes'],
  ...['politica', 'solicitud', 'richiesta', 'pedido', 'beleid', 'aanvraag', 'plannen', 'wniosek', 'ansokan'],
];

/** Verbs whose "off" says nothing of anybody's absence: "kick off", "sign-off". */
const VERBS_OF_OFF = [
  ...[
    'kick',
    'sign',
    'drop',
    'hand',
    'log',
    'cut',
    'stand',
    'spin',
    'turn',
    'switch',
    'send',
    'trade',
    'write',
  ],
  ...[
    'roll',
    'show',
    'lift',
    'back',
    'call',
    'set',
    'pay',
    'lay',
    'play',
    'face',
    'bake',
    'cook',
    'tee',
    'top',
  ],
];

/** What follows one of the short words where it means something else: "off site", "leave at five". */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  off: ['site', 'line', 'topic', 'the', 'peak', 'season', 'shore', 'board', 'boarding', 'load', 'cycle'],
  leave: ['for', 'at', 'by', 'home', 'early', 'the', 'a', 'to', 'room'],
};

/**
 * Tells of titles whether they say with one of the words that somebody is away. Words are whole words, whatever their
 * case and accents; a space in one may be a hyphen in the title.
 */
export function saysAway(words: readonly string[]): (title: string) => boolean {
  const meant = isFormer(words) ? USUAL_WORDS : words;
  const patterns = meant.map(plain).filter(Boolean).map(patternOf);
  return (title) => {
    const text = plain(title);
    return patterns.some((pattern) => pattern.test(text));
  };
}

function isFormer(words: readonly string[]): boolean {
  return words.length === FORMER_USUAL.length && FORMER_USUAL.every((word) => words.includes(word));
}

const LETTER = '[\\p{L}\\p{N}]';
const GAP = '[\\s\\-‐‑–_]+';

function patternOf(word: string): RegExp {
  const inside = word
    .split(' ')
    .map((part) => RegExp.escape(part))
    .join(GAP);
  const before = [
    `(?<!${LETTER})`,
    // A compound with a hyphen is another word.
    `(?<!${LETTER}[-‐‑])`,
    ...(word === 'off' ? [`(?<!\\b(?:${VERBS_OF_OFF.join('|')})(?:[a-z]?ing|[a-z]?ed|s)?\\s+)`] : []),
  ];
  const others = [...ABOUT, ...(AFTER[word] ?? [])].join('|');
  return new RegExp(`${before.join('')}${inside}(?!${LETTER})(?!${GAP}(?:${others})(?!${LETTER}))`, 'u');
}

/** Lower case, without accents, each run of spaces one. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('ß', 'ss')
    .replace(/\s+/g, ' ')
    .trim();
}
