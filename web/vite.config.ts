import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** `vite web` develops against a running service; `vite build web` writes what that service hands out. */
export default defineConfig({
  plugins: [react(), precompress()],
  server: {
    proxy: Object.fromEntries(['/api', '/a/', '/sign-in/'].map((path) => [path, 'http://127.0.0.1:8080'])),
  },
  build: {
    // Whoever has the dashboard open while it is built anew still finds what it is made of; see precompress.ts.
    emptyOutDir: false,
    // The service's content policy allows no inline data but images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { main: 'web/index.html', 'service-worker': 'web/worker/service-worker.ts' },
      output: {
        // Browsers know a service worker by its address, which must stay the same.
        entryFileNames: ({ name }) =>
          name === 'service-worker' ? 'service-worker.js' : 'assets/[name]-[hash].js',
      },
    },
  },
});
