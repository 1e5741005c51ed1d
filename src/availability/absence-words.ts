import { USUAL_WORDS } from './sources-api-contract.ts';

/** The default words of earlier releases, which are still stored with calendars added then. */
const FORMER_USUAL = [
  ...['ooo', 'out of office', 'vacation', 'holiday', 'leave', 'pto', 'away', 'absent', 'sick', 'off'],
];

/** With one of these after the word, a title mentions absences but is not one: "PTO policy", "Urlaub planen". */
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

/** Verbs with "off" that do not mean an absence: "kick off", "sign-off". */
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

/** Words after a short word that give it another meaning: "off site", "leave at five". */
const AFTER: Readonly<Record<string, readonly string[]>> = {
  off: ['site', 'line', 'topic', 'the', 'peak', 'season', 'shore', 'board', 'boarding', 'load', 'cycle'],
  leave: ['for', 'at', 'by', 'home', 'early', 'the', 'a', 'to', 'room'],
};

/**
 * Returns a function that checks whether a title contains one of the words as a whole word, ignoring case and accents.
 * A space in a word also matches a hyphen in the title.
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
    // In a hyphenated compound it is a different word.
    `(?<!${LETTER}[-‐‑])`,
    ...(word === 'off' ? [`(?<!\\b(?:${VERBS_OF_OFF.join('|')})(?:[a-z]?ing|[a-z]?ed|s)?\\s+)`] : []),
  ];
  const others = [...ABOUT, ...(AFTER[word] ?? [])].join('|');
  return new RegExp(`${before.join('')}${inside}(?!${LETTER})(?!${GAP}(?:${others})(?!${LETTER}))`, 'u');
}

/** Lower case, without accents, with single spaces. */
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
