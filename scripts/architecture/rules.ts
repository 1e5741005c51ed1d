import { isRoom, layerOf, partOf } from './layers.ts';
import { type Import, isTest, type Source } from './source.ts';

/** What is wrong, as sentences that name the file and the fix; none when all is well. */
export type Rule = (sources: readonly Source[]) => string[];

/** Imports point downwards; upwards only to another's contract. */
export const arrows: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source))
    .flatMap((source) => source.imports.flatMap((imported) => wrongArrow(source, imported)));

/** The demo drives the service and is no part of it: it is loaded only when `serve --demo` asks for it. */
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
  // The generated types of rows name the lists that contracts declare.
  const typesOfRows = path === 'src/db/schema.ts' && imported.typeOnly;
  const towardsContract = (isRoom(here) || typesOfRows) && isContract(to);
  if (layerOf(there) < layerOf(here) || towardsContract) return [];
  return [
    `${path} imports ${to}, but ${here} stands below or beside ${there}; turn the arrow round, or pass it in`,
  ];
}

/** Others may use a package without the service. */
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

/** Contracts are imported by everybody, the dashboard included: they drag nothing along. */
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

/** Types are gone when the program runs. */
function isLight({ to, ours, typeOnly }: Import): boolean {
  if (typeOnly) return true;
  return ours ? isContract(to) || partOf(to) === 'kit' : to === 'typebox';
}

function isContract(path: string): boolean {
  return /^src\/\w+\/([a-z]+\/)*([a-z]+-)*contract\.ts$/.test(path);
}

/** The dashboard shares words with the service, and nothing that does something. */
export const dashboard: Rule = (sources) =>
  sources.flatMap(({ path, imports }) =>
    imports
      .filter(({ to, ours }) => ours && !to.startsWith('web/') && !isContract(to))
      .map(({ to }) => `${path} imports ${to}; the dashboard may import contracts only`),
  );

/** Routes are described in rooms, but only src/http makes listeners. */
export const listeners: Rule = (sources) =>
  sources
    .filter((source) => isRoom(partOf(source.path)) && !isTest(source))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ to, typeOnly }) => to === 'fastify' && !typeOnly)
        .map(() => `${path} imports values of fastify; a room may import its types only`),
    );

const QUERY = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom|query)\(/;

/** All SQL of a room stands in its store. */
export const stores: Rule = (sources) =>
  sources
    .filter(
      (source) => !isTest(source) && partOf(source.path) !== 'db' && !/(^|[/-])store\.ts$/.test(source.path),
    )
    .flatMap(({ path, text, imports }) => {
      const kysely = imports.some(({ to, typeOnly }) => to === 'kysely' && !typeOnly);
      return kysely || QUERY.test(text) ? [`${path} holds SQL; move it into the store.ts of its folder`] : [];
    });

/** The environment is handed over by main.ts and read by config.ts. */
export const environment: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source) && !['src/config.ts', 'src/main.ts'].includes(source.path))
    .filter(({ text }) => text.includes('process.env'))
    .map(({ path }) => `${path} reads process.env; only src/config.ts does`);

/** Whoever ends the process cuts off what others have under way. */
export const exits: Rule = (sources) =>
  sources
    .filter((source) => !isTest(source))
    .filter(({ path }) => !['src/main.ts', 'src/cli/main.ts', 'src/serve.ts'].includes(path))
    .filter(({ text }) => /process\.(exit|exitCode|abort)\b/.test(text))
    .map(({ path }) => `${path} ends the process; only src/main.ts and src/serve.ts do`);

/** Names that say nothing collect everything. */
export const drawers: Rule = (sources) =>
  sources
    .filter(({ path }) => /\/(utils?|helpers?|types|constants|common|misc)\.tsx?$/.test(path))
    .map(({ path }) => `${path} is a drawer; name the file after what it holds`);

// Put together from pieces, so that this file does not find itself.
const UNFINISHED = new RegExp(['TO', 'DO|FIX', 'ME|\\.(skip|only)\\('].join(''));

export const unfinished: Rule = (sources) =>
  sources
    .filter(({ text }) => UNFINISHED.test(text))
    .map(({ path }) => `${path} leaves something undone or left out; finish it, or write an issue about it`);
