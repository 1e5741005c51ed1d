import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { firstFiles } from './first-files.ts';
import { frame } from './frame.ts';
import { precompress } from './precompress.ts';
import { viewFiles } from './view-files.ts';
import { withoutSchemas } from './without-schemas.ts';

/** What forms have and lists do not: a list loads without it. */
const OF_FORMS =
  /@simplewebauthn|PasswordInput|[\\/]sign-in[\\/]|MultiSelect|PillsInput|[\\/]Pill[\\/]|pills-reorder|Textarea|form-dialog|use-fields/;

/**
 * `vite web` runs a development server against a running service; `vite build web` writes the files that the service
 * serves.
 */
export default defineConfig({
  plugins: [react(), withoutSchemas(), frame(), firstFiles(), viewFiles(), precompress()],
  server: {
    proxy: Object.fromEntries(['/api', '/a/', '/sign-in/'].map((path) => [path, 'http://127.0.0.1:8080'])),
  },
  build: {
    // Open dashboards may still load files of the previous build; see precompress.ts.
    emptyOutDir: false,
    // The content security policy of the service allows inline data only for images.
    assetsInlineLimit: 0,
    // `stories/dashboard-size.test.ts` bounds the first load as it is sent, compressed.
    chunkSizeWarningLimit: 1_000,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        main: 'web/index.html',
        offline: 'web/offline.html',
        'service-worker': 'web/worker/service-worker.ts',
      },
      output: {
        // All that the first view needs, in a few files instead of eighty: a browser opens six connections to a server.
        // Each of them runs in a task of its own; see start.ts.
        codeSplitting: {
          groups: [
            {
              name: 'start',
              test: /web[\\/]src[\\/]start\.ts$|vite[\\/]preload-helper|rolldown[\\/]runtime/,
              priority: 4,
            },
            { name: 'react', test: /web[\\/]src[\\/]react\.ts$/, priority: 3 },
            { name: 'libraries', test: /web[\\/]src[\\/]libraries\.ts$/, priority: 2 },
            { name: 'first', test: /web[\\/]src[\\/]main\.tsx$/, priority: 1 },
            { name: 'shared', test: (id) => !OF_FORMS.test(id), minShareCount: 6 },
            { name: 'forms', minShareCount: 6 },
          ],
        },
        // Browsers identify a service worker by its URL, which must not change. The worker keeps the page for the time
        // without a network under these names.
        entryFileNames: ({ name }) =>
          name === 'service-worker' || name === 'offline' ? `${name}.js` : 'assets/[name]-[hash].js',
      },
    },
  },
});
