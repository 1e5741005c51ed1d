import { runsWhileServing } from '../../src/db/migration-files.ts';
import { alteration, type Breach, found, ownTables, plainStatements } from './statements.ts';

/** Marks a migration that stops the service while it runs, and gives the reason. */
const HOLDS_UP = /^-- holds up the service: \S/m;

/** Statements that can run while pages are accepted, and can be repeated after an interruption. */
const WHILE_SERVING = [
  /^create index concurrently if not exists \w+ on /,
  // No row can violate these: an earlier constraint was stricter, or the column is new.
  /^create unique index concurrently if not exists (webhooks_name_by_kind|pages_open_key) on /,
  /^drop index concurrently if exists \w+$/,
  /^alter table (only )?\w+ validate constraint \w+$/,
];

const ANEW = 'writes the whole table anew while nobody can read it';
const READ = 'reads the whole table while nobody can write to it';
const VALIDATE =
  'add it “not valid”, and validate it in a later file that begins with “-- while the service runs”';

/** For a single action of `alter table`. */
const ON_A_TABLE: Breach[] = [
  { found: /^alter (column )?\w+ (set data )?type\b/, why: ANEW },
  { found: /^set (tablespace|logged|unlogged|access method)\b/, why: ANEW },
  { found: /^add .*\b(generated|(small|big)?serial)\b/, why: ANEW },
  // `now()` is the same for all rows, so it does not rewrite the table.
  { found: /^add .*\bdefault (?!now\(\))(?:(?!\b(?:check|references)\b).)*\(/, why: ANEW },
  { found: /^alter (column )?\w+ set not null\b/, why: `${READ}; a check says the same: ${VALIDATE}` },
  {
    found:
      /^add (?!(?:constraint|check|foreign|unique|primary|exclude)\b)(?=.*\b(?:check|unique|primary key)\b)/,
    why: `${READ}; make the constraint apart: ${VALIDATE}`,
  },
  {
    found: /^add (?!(?:constraint|foreign)\b)(?=.*\bdefault\b)(?=.*\breferences\b)/,
    why: `${READ}; make the reference apart: ${VALIDATE}`,
  },
  {
    found: /^add (constraint \w+ )?(check|foreign key)\b(?!.*\bnot valid$)/,
    why: `${READ}; ${VALIDATE}`,
  },
  {
    found: /^add (constraint \w+ )?(unique|primary key|exclude)\b(?!.*\busing index \w+)/,
    why: 'builds an index while nobody can write to the table',
  },
  { found: /^attach partition\b/, why: READ },
  {
    found: /^validate constraint\b/,
    why: 'keeps the start waiting; do it in a file that begins with “-- while the service runs”',
  },
];

const STATEMENTS: Breach[] = [
  {
    found: /^(update|delete|truncate|merge|with|insert)\b/,
    why: 'changes rows in one transaction, which locks them; a duty does it in batches',
  },
  {
    found: /^(lock|cluster|vacuum|reindex|refresh)\b|\bconcurrently\b/,
    why: 'locks tables, or cannot run in a transaction',
  },
  { found: /^(do|call|select)\b/, why: 'does what cannot be seen here' },
];

/**
 * Statements of a migration that would block pages while tables are large, or delay the start of nodes. Unlike
 * `breaches`, this applies to every migration. `earlier`: the migrations before it, which show what is created while
 * serving.
 */
export function holdUps(text: string, earlier: readonly string[] = []): string[] {
  if (HOLDS_UP.test(text)) return [];
  const statements = plainStatements(text);
  const reasons = runsWhileServing(text)
    ? whileServing
    : (one: string) => beforeServing(one, ownTables(statements), earlier);
  return statements.flatMap((statement) =>
    reasons(statement).map((why) => `“${statement.slice(0, 80)}” ${why}`),
  );
}

function whileServing(statement: string): string[] {
  if (WHILE_SERVING.some((form) => form.test(statement))) return [];
  return [
    'cannot be broken off and begun anew while the service runs; what can: create index concurrently if not exists NAME on …, ' +
      'drop index concurrently if exists NAME, alter table TABLE validate constraint NAME',
  ];
}

function beforeServing(statement: string, own: ReadonlySet<string>, earlier: readonly string[]): string[] {
  const altered = alteration(statement);
  if (altered)
    return own.has(altered.table) ? [] : actionsOf(altered.change).flatMap((one) => found(ON_A_TABLE, one));
  const [, indexed] =
    /^create (?:unique )?index (?!concurrently).*?\bon (?:only )?(\w+)/.exec(statement) ?? [];
  if (indexed)
    return own.has(indexed)
      ? []
      : [
          'builds an index while nobody can write to the table; begin the file with “-- while the service runs”',
        ];
  const [, index] = /^(?:drop|alter) index (?:if exists )?(\w+)/.exec(statement) ?? [];
  if (index && madeWhileServing(index, earlier))
    return [
      'comes before the index that it is about may be there; begin the file with “-- while the service runs”',
    ];
  const [, filled] = /^insert into (\w+)/.exec(statement) ?? [];
  return filled && own.has(filled) ? [] : found(STATEMENTS, statement);
}

function madeWhileServing(index: string, earlier: readonly string[]): boolean {
  return earlier
    .filter(runsWhileServing)
    .flatMap(plainStatements)
    .some((one) => one.startsWith(`create index concurrently if not exists ${index} `));
}

/** The actions of an `alter table`, which are separated by commas outside parentheses. */
function actionsOf(change: string): string[] {
  const actions = [''];
  let depth = 0;
  for (const letter of change) {
    if (letter === '(') depth++;
    if (letter === ')') depth--;
    if (letter === ',' && depth === 0) actions.push('');
    else actions.push(`${actions.pop() ?? ''}${letter}`);
  }
  return actions.map((one) => one.trim());
}
