import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export type Import = {
  /** The path from the root for our files, otherwise the name of the package. */
  to: string;
  /** The import is relative, so it leads to one of our files. */
  ours: boolean;
  /** Only types are imported, so nothing is left at run time. */
  typeOnly: boolean;
};

/** A file, with its path from the root. */
export type Source = { path: string; text: string; imports: Import[] };

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?([^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/gm;

export function readSources(root: URL, pattern: string): Source[] {
  return globSync(pattern, { cwd: root })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => source(path, readFileSync(new URL(path, root), 'utf8')));
}

export function source(path: string, text: string): Source {
  const imports = [...text.matchAll(IMPORT)].map(([, type, names, fixed, dynamic]) => {
    const specifier = fixed ?? dynamic ?? '';
    const ours = specifier.startsWith('.');
    return {
      to: ours ? posix.join(posix.dirname(path), specifier) : packageOf(specifier),
      ours,
      typeOnly: type !== undefined || onlyTypes(names),
    };
  });
  return { path, text, imports };
}

/** `import { type A, type B } from …` leaves nothing at run time either. */
function onlyTypes(names: string | undefined): boolean {
  const inBraces = names?.match(/^\{([^}]*)\}\s+from\s+$/)?.[1];
  const single = inBraces?.split(',').filter((name) => name.trim() !== '');
  return single?.every((name) => name.trim().startsWith('type ')) ?? false;
}

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** Whether the file is a test or only used by tests, which may import anything. */
export function isTest({ path }: Source): boolean {
  return /\.test\.tsx?$|\.contract\.ts$/.test(path) && !path.endsWith('/contract.ts');
}
