import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import type { ViewFiles } from '../src/http/view-files-contract.ts';

type Chunk = {
  name: string;
  fileName: string;
  imports: string[];
  viteMetadata?: { importedCss: Set<string> };
};

/**
 * Writes `views.json`: the files that each view needs beyond the first load. The document of the view names them, so that
 * the browser loads them together with the first load instead of after it.
 */
export function viewFiles(): Plugin {
  return {
    name: 'view-files',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = new Map(
        Object.values(bundle).flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one]] : [])),
      );
      const first = [...chunks.values()].find(({ name }) => name === 'first');
      if (!first) return this.error('The first load has no file.');
      const loaded = filesOf(first, chunks);
      const views = Object.entries(viewsOfRouter()).map(([path, module]) => {
        const chunk = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
        if (!chunk) this.error(`The view ${module} of ${path} has no file of its own.`);
        return [path, [...filesOf(chunk, chunks).difference(loaded)]];
      });
      const source = JSON.stringify(Object.fromEntries(views) satisfies ViewFiles);
      this.emitFile({ type: 'asset', fileName: 'views.json', source });
    },
  };
}

/** The module of each lazily loaded view, by its path in the router. */
function viewsOfRouter(): Record<string, string> {
  const router = readFileSync(new URL('src/router.tsx', import.meta.url), 'utf8');
  const views = router.split('createRoute(').flatMap((route) => {
    const [, path] = /\bpath: '([^']+)'/.exec(route) ?? [];
    const [, module] = /\bimport\('\.([^']+)'\)/.exec(route) ?? [];
    return path && module ? [[path, `web/src${module}`]] : [];
  });
  return Object.fromEntries(views);
}

/** A file, its styles, and everything that it imports before it runs. */
function filesOf(chunk: Chunk, chunks: ReadonlyMap<string, Chunk>, found = new Set<string>()): Set<string> {
  if (found.has(chunk.fileName)) return found;
  found.add(chunk.fileName);
  for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  for (const name of chunk.imports) {
    const imported = chunks.get(name);
    if (imported) filesOf(imported, chunks, found);
  }
  return found;
}
