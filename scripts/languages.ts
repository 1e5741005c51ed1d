import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LANGUAGES } from '../src/language/contract.ts';
import { type Message, messagesOf } from './languages/messages.ts';
import { textsOutside, wordsOfStyles } from './languages/outside.ts';
import { flawOf } from './languages/translations.ts';

/**
 * The catalogue of texts, `languages/LANGUAGE/dashboard.json`, `service.json` and `stored.json`: English message to translation.
 * `--write`, the default, adds the messages of the code with an empty translation and removes those that the code no longer has;
 * `--check` fails when that would change something, or when a translation lacks an argument of its message.
 * Both fail when a view shows a text that is outside of the catalogue.
 * `--missing LANGUAGE` prints the messages without a translation, as JSON.
 */
const FILES = ['dashboard', 'service', 'stored'] as const;
type FileName = (typeof FILES)[number];
const root = fileURLToPath(new URL('..', import.meta.url));
const [mode = '--write', chosen = ''] = process.argv.slice(2);
const texts = (catalogue: Record<string, string>) => `${JSON.stringify(catalogue, null, 2)}\n`;

const { messages, errors } = extract();
for (const language of LANGUAGES.filter((one) => one !== 'en')) readCatalogues(language);
if (errors.length > 0) {
  console.error(errors.join('\n'));
  process.exitCode = 1;
}

function extract(): { messages: Record<FileName, Set<string>>; errors: string[] } {
  const files = globSync(['src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'web/worker/*.ts'], { cwd: root })
    .filter((path) => !/\.test\.tsx?$|\/language\//.test(path))
    .sort();
  const codes = files.map((path) => [path, readFileSync(`${root}${path}`, 'utf8')] as const);
  const found = codes.map(([path, code]) => messagesOf(path, code));
  const outside = codes.flatMap(([path, code]) =>
    path.startsWith('web/src/') ? textsOutside(path, code) : [],
  );
  const styled = globSync('web/src/**/*.css', { cwd: root })
    .sort()
    .flatMap((path) => wordsOfStyles(path, readFileSync(`${root}${path}`, 'utf8')));
  const all: Message[] = found.flatMap((one) => one.messages);
  const isShown = ({ place }: Message) => /^web\/|contract\.ts:/.test(place);
  const stored = new Set(all.filter(({ isStored }) => isStored).map(({ key }) => key));
  const dashboard = new Set(all.filter((one) => isShown(one) && !one.isStored).map(({ key }) => key));
  const service = new Set(all.map(({ key }) => key).filter((key) => !dashboard.has(key) && !stored.has(key)));
  return {
    messages: { dashboard, service, stored },
    errors: [...found.flatMap((one) => one.errors), ...outside, ...styled],
  };
}

function readCatalogues(language: string): void {
  const found = FILES.map((name) => [name, existing(`${root}languages/${language}/${name}.json`)] as const);
  // A message that moved between the files keeps its translation.
  const all: Record<string, string> = Object.assign({}, ...found.map(([, before]) => before));
  for (const [name, before] of found) readCatalogue(language, name, before, all);
}

function readCatalogue(
  language: string,
  name: FileName,
  before: Readonly<Record<string, string>>,
  all: Readonly<Record<string, string>>,
): void {
  const path = `${root}languages/${language}/${name}.json`;
  const keys = [...messages[name]].sort();
  const after = Object.fromEntries(keys.map((key) => [key, before[key] || all[key] || '']));
  if (mode === '--write') {
    mkdirSync(`${root}languages/${language}`, { recursive: true });
    writeFileSync(path, texts(after));
  } else if (mode === '--missing') {
    if (language !== chosen) return;
    console.log(texts(Object.fromEntries(Object.entries(after).filter(([, text]) => text === ''))));
  } else if (texts(before) !== texts(after))
    errors.push(`languages/${language}/${name}.json does not match the code; run npm run languages.`);
  for (const [key, text] of Object.entries(after)) {
    const flaw = flawOf(key, text || key.replace(/ \[\[[^\]]*\]\]$/, ''));
    if (flaw) errors.push(`languages/${language}/${name}.json, ${JSON.stringify(key)}: ${flaw}`);
  }
}

function existing(path: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
