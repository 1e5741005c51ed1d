import { hasOwnProcess } from '../../testing/shared-processes.ts';
import { isRoom, layerOf, partOf } from './layers.ts';
import { type Import, isTest, type Source } from './source.ts';

/** Checks the sources. Returns a sentence for each violation, with the file and the fix. */
export type Rule = (sources: readonly Source[]) => string[];

/** Imports lead to lower layers; to higher ones only for contracts. */
export const arrows: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source))
    .flatMap((source) => source.imports.flatMap((imported) => wrongArrow(source, imported)));

/** The demo uses the service and is not part of it; only `serve --demo` loads it. */
const DEMO = { from: 'src/cli/commands/serve.ts', to: 'demo/prepare.ts' };

function wrongArrow({ path }: Source, imported: Import): string[] {
  if (!imported.ours) return [];
  const { to } = imported;
  if (path === DEMO.from && to === DEMO.to) return [];
  if (to.startsWith('packages/')) return [];
  if (!to.startsWith('src/') && to !== 'package.json')
    return [`${path} imports ${to}; what runs in production imports nothing outside src`];
  const [here, there] = [partOf(path), partOf(to)];
  if (here === there || to === 'package.json') return [];
  for (const part of [here, there]) {
    if (layerOf(part) < 0)
      return [`src/${part} has no place among the layers; give it one in scripts/architecture/layers.ts`];
  }
  // The generated row types use lists from contracts.
  const typesOfRows = path === 'src/db/schema.ts' && imported.typeOnly;
  const towardsContract = (isRoom(here) || typesOfRows) && isContract(to);
  if (layerOf(there) < layerOf(here) || towardsContract) return [];
  return [
    `${path} imports ${to}, but ${here} stands below or beside ${there}; turn the arrow round, or pass it in`,
  ];
}

/** Packages can be used without the service. */
export const packages: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source))
    .flatMap(({ path, imports }) => {
      const folder = path.split('/').slice(0, 2).join('/');
      return imports
        .filter(({ to, ours }) => ours && !to.startsWith(`${folder}/`))
        .map(
          ({ to }) => `${path} imports ${to}; a package imports nothing of the service or of other packages`,
        );
    });

/** Everybody imports contracts, including the dashboard, so contracts may import very little. */
export const contracts: Rule = (sources) =>
  sources
    .filter(({ path }) => isContract(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter((imported) => !isLight(imported))
        .map(
          ({ to }) =>
            `${path} imports ${to}; beside types, a contract imports only typebox, the kit and other contracts`,
        ),
    );

/** Types do not exist at run time. */
function isLight({ to, ours, typeOnly }: Import): boolean {
  if (typeOnly) return true;
  // The contract of texts formats them.
  return ours ? isContract(to) || partOf(to) === 'kit' : to === 'typebox' || to === 'intl-messageformat';
}

function isContract(path: string): boolean {
  return /^src\/\w+\/([a-z]+\/)*([a-z]+-)*contract\.ts$/.test(path);
}

/** The dashboard and the service share only contracts and translations. */
export const dashboard: Rule = (sources) =>
  sources.flatMap(({ path, imports }) =>
    imports
      .filter(
        ({ to, ours }) => ours && !to.startsWith('web/') && !to.startsWith('languages/') && !isContract(to),
      )
      .map(({ to }) => `${path} imports ${to}; the dashboard may import contracts only`),
  );

/** Rooms describe routes, but only src/http creates listeners. */
export const listeners: Rule = (sources) =>
  sources
    .filter((source) => isRoom(partOf(source.path)) && !isTest(source))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ to, typeOnly }) => to === 'fastify' && !typeOnly)
        .map(() => `${path} imports values of fastify; a room may import its types only`),
    );

const QUERY = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|query)\(/;

/** The SQL of a room is in its store. */
export const stores: Rule = (sources) =>
  sources
    .filter(
      (source) => !isTest(source) && partOf(source.path) !== 'db' && !/(^|[/-])store\.ts$/.test(source.path),
    )
    .flatMap(({ path, text, imports }) => {
      const kysely = imports.some(({ to, typeOnly }) => to === 'kysely' && !typeOnly);
      return kysely || QUERY.test(text) ? [`${path} holds SQL; move it into the store.ts of its folder`] : [];
    });

/** What stays in a process after a file of tests. Hooks are those of the file, also where it shares its process. */
const CHANGES_ITS_PROCESS = new RegExp(
  [
    /\bprocess\.(abort|chdir|cpuUsage|emit|exit|memoryUsage|nextTick|on|once|set\w+|threadCpuUsage|umask)\b/,
    /\bprocess\.env(\.\w+|\[[^\]]+\])? = |\bdelete process\.env|\bassign\(process\./,
    /\bglobalThis\b|\bmock\.|\bembedded\.ts'/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** Tests that change their process do not share it. */
export const ownProcesses: Rule = (sources) =>
  sources
    .filter(({ path }) => /\.test\.tsx?$/.test(path))
    .filter(({ path, text }) => CHANGES_ITS_PROCESS.test(text) && !hasOwnProcess(path, text))
    .map(({ path }) => `${path} changes or measures its process; import testing/own-process.ts first`);

/** main.ts passes the environment on, and only config.ts reads it. */
export const environment: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source) && !['src/config.ts', 'src/main.ts'].includes(source.path))
    .filter(({ text }) => text.includes('process.env'))
    .map(({ path }) => `${path} reads process.env; only src/config.ts does`);

/** Code that ends the process interrupts work of other parts. */
export const exits: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source))
    .filter(({ path }) => !['src/main.ts', 'src/cli/main.ts', 'src/serve.ts'].includes(path))
    .filter(({ text }) => /process\.(exit|exitCode|abort)\b/.test(text))
    .map(({ path }) => `${path} ends the process; only src/main.ts and src/serve.ts do`);

/** Files with meaningless names collect unrelated code. */
export const drawers: Rule = (sources) =>
  sources
    .filter(({ path }) => /\/(utils?|helpers?|types|constants|common|misc)\.tsx?$/.test(path))
    .map(({ path }) => `${path} is a drawer; name the file after what it holds`);

// Split into pieces, so that the pattern does not match this file.
const UNFINISHED = new RegExp(['TO', 'DO|FIX', 'ME|\\.(skip|only)\\('].join(''));

export const unfinished: Rule = (sources) =>
  sources
    .filter(({ text }) => UNFINISHED.test(text))
    .map(({ path }) => `${path} leaves something undone or left out; finish it, or write an issue about it`);
