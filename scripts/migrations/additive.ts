import { alteration, type Breach, found, ownTables, plainStatements } from './statements.ts';

/**
 * Constraints that repeat what the code declares (channels, contact methods, urgencies, kinds of requests and of ids). They
 * may be dropped: no row changes, and only nodes of the later release read a value that it adds (decision 0137).
 */
const REPEATED_THE_CODE = [
  'deliveries_channel_check',
  'messages_channel_check',
  'notification_rules_channels_check',
  'notification_rules_urgency_check',
  'pages_urgency_check',
  'contact_method_sends_type_check',
  'contact_methods_type_check',
  'contact_methods_check',
  'contact_methods_check2',
  'requests_kind_check',
  'webhooks_id_check',
];

/**
 * A unique index that replaces one with fewer columns: it refuses nothing that the one before it accepted, and rows of the
 * previous release, which have the default in the new column, stay unique among themselves.
 */
const LOOSENED: Readonly<Record<string, string>> = { webhooks_name: 'webhooks_name_by_kind' };

/** Unique indexes over columns that the previous release leaves empty, with which they hold no row of it. */
const OF_NEW_COLUMNS = ['pages_open_key'];

/** Columns that are no longer generated, and that a trigger fills in rows of the previous release. */
const FILLED_BY_A_TRIGGER = ['search'];

const ON_A_TABLE: Breach[] = [
  {
    found: /\bdrop (column )?(?!constraint|not null|default|index|expression)\w/,
    why: 'drops a column that the release before reads',
  },
  {
    found: new RegExp(`\\balter (column )?(?!(${FILLED_BY_A_TRIGGER.join('|')}) )\\w+ drop expression\\b`),
    why: 'leaves a column empty in rows of the release before',
  },
  {
    found: new RegExp(`\\bdrop constraint (?!(${REPEATED_THE_CODE.join('|')})$)`),
    why: 'drops a constraint: widens what columns hold by words that the release before does not know',
  },
  { found: /\brename\b/, why: 'renames what the release before calls by its name' },
  {
    found: /\bset not null\b/,
    why: 'refuses rows that the release before writes',
  },
  {
    found: /\balter (column )?\w+ (set data )?type\b/,
    why: 'makes another type of what the release before reads and writes',
  },
  {
    found:
      /\badd (column )?(if not exists )?(?!constraint|check|unique|primary|foreign|exclude)\w+ (?!.*\b(default|generated)\b).*\bnot null\b/,
    why: 'adds a column that the release before leaves empty, without a default',
  },
  {
    found: /\badd (constraint \w+ )?(check|unique|primary key|foreign key|exclude)\b/,
    why: 'adds a constraint that what the release before writes may break',
  },
];

const STATEMENTS: Breach[] = [
  { found: /^drop (?!index\b)/, why: 'drops what the release before uses' },
  { found: /^create or replace\b/, why: 'changes what the release before calls' },
];

/**
 * Statements of a migration with which the previous release could not run. `earlier`: the migrations before it, which
 * show which indexes are unique.
 */
export function breaches(text: string, earlier: readonly string[] = []): string[] {
  const statements = plainStatements(text);
  const own = ownTables(statements);
  return statements.flatMap((statement) =>
    reasons(statement, own, earlier).map((why) => `“${statement.slice(0, 80)}” ${why}`),
  );
}

function reasons(statement: string, own: ReadonlySet<string>, earlier: readonly string[]): string[] {
  const altered = alteration(statement);
  if (altered) return own.has(altered.table) ? [] : found(ON_A_TABLE, altered.change);
  const [, name = '', unique] =
    /^create unique index (?:concurrently )?(?:if not exists )?(\w*?) ?on (?:only )?(\w+)/.exec(statement) ??
    [];
  const harmless = [...Object.values(LOOSENED), ...OF_NEW_COLUMNS];
  if (unique && !own.has(unique) && !harmless.includes(name))
    return ['refuses rows that the release before may write'];
  const [, index] = /^drop index (?:concurrently )?(?:if exists )?(\w+)/.exec(statement) ?? [];
  if (index && index in LOOSENED) return [];
  if (index) return wasUnique(index, earlier) ? ['drops what the release before relies on to be unique'] : [];
  return found(STATEMENTS, statement);
}

function wasUnique(index: string, earlier: readonly string[]): boolean {
  const made = new RegExp(`^create unique index (if not exists )?${index} `);
  return earlier.flatMap(plainStatements).some((one) => made.test(one));
}
