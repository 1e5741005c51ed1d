/** One thing that a migration does, and why it must not, or must say that it does. */
type Breach = { found: RegExp; why: string };

const ON_A_TABLE: Breach[] = [
  {
    found: /\bdrop (column )?(?!constraint|not null|default|index)\w/,
    why: 'drops a column that the release before reads',
  },
  {
    found: /\bdrop constraint\b/,
    why: 'drops a constraint: widens what columns hold by words that the release before does not know',
  },
  { found: /\brename\b/, why: 'renames what the release before calls by its name' },
  {
    found: /\bset not null\b/,
    why: 'refuses rows that the release before writes, and reads the whole table under a lock',
  },
  { found: /\balter (column )?\w+ (set data )?type\b/, why: 'writes the whole table anew under a lock' },
  {
    found:
      /\badd (column )?(if not exists )?(?!constraint|check|unique|primary|foreign|exclude)\w+ (?!.*\b(default|generated)\b).*\bnot null\b/,
    why: 'adds a column that the release before leaves empty, without a default',
  },
  {
    found: /\badd (column )?\w+ .*\b(default (?!now\(\))[^,]*\(|generated always as)/,
    why: 'adds a column that is reckoned for each row: writes the whole table anew under a lock',
  },
  {
    found: /\badd (constraint \w+ )?(check|unique|primary key|foreign key|exclude)\b/,
    why: 'adds a constraint that what the release before writes may break',
  },
];

const STATEMENTS: Breach[] = [
  { found: /^drop (?!index\b)/, why: 'drops what the release before uses' },
  { found: /^create or replace\b/, why: 'changes what the release before calls' },
  {
    found: /^(update|delete|truncate|merge|with|insert)\b/,
    why: 'changes rows in one transaction, which locks them; a duty does it in batches',
  },
  {
    found: /^(lock|cluster|vacuum|reindex)\b|\bconcurrently\b/,
    why: 'locks tables, or cannot run in a transaction',
  },
];

/**
 * What in a migration the release before could not live with, or what stops the service while it runs. `earlier`: the
 * migrations before it, which say what is unique.
 */
export function breaches(text: string, earlier: readonly string[] = []): string[] {
  const statements = statementsOf(text);
  const own = new Set(
    statements.flatMap((one) => /^create table (if not exists )?(\w+)/.exec(one)?.[2] ?? []),
  );
  return statements.flatMap((statement) =>
    reasons(statement, own, earlier).map((why) => `“${statement.slice(0, 80)}” ${why}`),
  );
}

function reasons(statement: string, own: ReadonlySet<string>, earlier: readonly string[]): string[] {
  const [, altered] = /^alter table (?:if exists |only )*(\w+)/.exec(statement) ?? [];
  if (altered) return own.has(altered) ? [] : found(ON_A_TABLE, statement.replace(/^alter table \w+ /, ''));
  const [, unique] = /^create unique index .*?\bon (?:only )?(\w+)/.exec(statement) ?? [];
  if (unique && !own.has(unique)) return ['refuses rows that the release before may write'];
  const [, index] = /^drop index (?:if exists )?(\w+)/.exec(statement) ?? [];
  if (index) return wasUnique(index, earlier) ? ['drops what the release before relies on to be unique'] : [];
  const [, filled] = /^insert into (\w+)/.exec(statement) ?? [];
  if (filled && own.has(filled)) return [];
  return found(STATEMENTS, statement);
}

function found(breached: readonly Breach[], statement: string): string[] {
  return breached.filter((one) => one.found.test(statement)).map(({ why }) => why);
}

function wasUnique(index: string, earlier: readonly string[]): boolean {
  return earlier.flatMap(statementsOf).some((one) => one.startsWith(`create unique index ${index} `));
}

/** Without comments and the bodies of functions, in small letters, each in one line. */
function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .split(';')
    .map((one) => one.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((one) => one !== '');
}
