import type { HtmlTagDescriptor, Plugin } from 'vite';

type Chunk = {
  type: 'chunk';
  name: string;
  fileName: string;
  code: string;
  imports: string[];
  dynamicImports: string[];
  modules: object;
  viteMetadata?: { importedCss: Set<string> };
};

/** The parts of the first load in the order in which `start.ts` runs them. */
const PARTS = ['react', 'libraries', 'first'];

function partsOf(chunks: readonly Chunk[]): Chunk[] {
  return PARTS.flatMap((part) => chunks.filter(({ name, modules }) => name === part && hasOwn(modules)));
}

/** A file without modules only imports another one. */
function hasOwn(modules: object): boolean {
  return Object.keys(modules).length > 0;
}

/**
 * Names the files of the first load in the document, so that the browser loads them while it draws the frame. `start.ts`
 * imports them directly, not through files of the bundler that only import them.
 */
export function firstFiles(): Plugin {
  return {
    name: 'first-files',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const chunks = chunksOf(bundle);
        const start = startOf(chunks);
        if (!start || !html.includes(start.fileName)) return html;
        const parts = partsOf(chunks);
        const files = new Set(parts.flatMap(({ imports, fileName }) => [...imports, fileName]));
        const styles = new Set(parts.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]));
        return [
          ...[...styles].map((file) => link({ rel: 'stylesheet', href: `/${file}` })),
          ...[...files.difference(new Set([start.fileName]))].map((file) =>
            link({ rel: 'modulepreload', fetchpriority: 'low', href: `/${file}` }),
          ),
        ];
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = chunksOf(bundle);
        const start = startOf(chunks);
        if (!start) return;
        const parts = partsOf(chunks);
        for (const name of start.dynamicImports) {
          const facade = chunks.find(({ fileName, modules }) => fileName === name && !hasOwn(modules));
          const part = parts.find(({ fileName }) => facade?.imports.includes(fileName));
          if (!facade || !part) this.error(`${name}, which start.ts imports, is no part of the first load.`);
          start.code = start.code.replaceAll(facade.fileName, part.fileName);
          start.code = start.code.replaceAll(baseOf(facade), baseOf(part));
          delete bundle[facade.fileName];
        }
      },
    },
  };
}

function link(attrs: Record<string, string>): HtmlTagDescriptor {
  return { tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' };
}

function chunksOf(bundle: Readonly<Record<string, { type: string }>>): Chunk[] {
  return Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk');
}

function startOf(chunks: readonly Chunk[]): Chunk | undefined {
  return chunks.find(({ name }) => name === 'start');
}

function baseOf({ fileName }: Chunk): string {
  return fileName.slice(fileName.lastIndexOf('/') + 1);
}
