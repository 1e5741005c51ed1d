import { readFileSync } from 'node:fs';

type Locked = {
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
};

export type Dependency = {
  name: string;
  /** True if the service uses it at run time; the others are for building and testing. */
  runs: boolean;
  /** The number of packages that it depends on. */
  brings: number;
  licence: string;
};

/** Our direct dependencies, as the lock file lists them. */
export function directDependencies(root: URL): Dependency[] {
  const { dependencies, devDependencies } = read(new URL('package.json', root));
  const { packages } = read(new URL('package-lock.json', root)) as unknown as {
    packages: Record<string, Locked>;
  };
  const direct = { ...devDependencies, ...dependencies };
  return Object.keys(direct)
    .sort()
    .map((name) => ({
      name,
      runs: dependencies[name] !== undefined,
      brings: reached(packages, `node_modules/${name}`).size - 1,
      licence: packages[`node_modules/${name}`]?.license ?? 'unknown',
    }));
}

function reached(packages: Record<string, Locked>, from: string, found = new Set<string>()): Set<string> {
  if (found.has(from)) return found;
  found.add(from);
  const { dependencies = {}, optionalDependencies = {} } = packages[from] ?? {};
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const place = resolved(packages, from, name);
    if (place) reached(packages, place, found);
  }
  return found;
}

/** Resolves a package as Node.js does: in the folder of the importing package, then in each parent. */
function resolved(packages: Record<string, Locked>, from: string, name: string): string | null {
  for (let folder: string | null = from; folder !== null; folder = above(folder)) {
    const place: string = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[place]) return place;
  }
  return null;
}

function above(folder: string): string | null {
  if (folder === '') return null;
  const end = folder.lastIndexOf('/node_modules/');
  return end < 0 ? '' : folder.slice(0, end);
}

function read(file: URL): Record<'dependencies' | 'devDependencies', Record<string, string>> {
  return JSON.parse(readFileSync(file, 'utf8'));
}
