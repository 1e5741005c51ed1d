import { createServer, type Plugin } from 'vite';
import { FRAME_END, FRAME_START } from '../src/http/frame-contract.ts';

/** What `frame.tsx` exports. */
type FrameModule = { frameMarkup(): string };

const ROOT = '<div id="root">';

/**
 * Writes the frame of the dashboard into its document, so that browsers draw it before they have the scripts. The service
 * leaves it out for people who are not signed in.
 */
export function frame(): Plugin {
  return {
    name: 'frame',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        // The page for the time without a network has no such element.
        if (!html.includes(ROOT)) return html;
        const markup = await drawn();
        return html.replace(ROOT, () => `${ROOT}${FRAME_START}${markup}${FRAME_END}`);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.values(bundle);
        const styles = files.flatMap((one) =>
          one.type === 'asset' && one.fileName.endsWith('.css') ? [String(one.source)] : [],
        );
        const document = files.find(({ fileName }) => fileName === 'index.html');
        const markup = document?.type === 'asset' ? String(document.source) : '';
        for (const [, names = ''] of markup.matchAll(/ class="([^"]*)"/g))
          for (const name of names.split(' '))
            if (!styles.some((text) => text.includes(`.${name}`)))
              this.error(`The frame has the class ${name}, which no style sheet of the build has.`);
      },
    },
  };
}

/** The markup of the frame. A server of Vite reads its module with the names that the style sheets of the build have. */
async function drawn(): Promise<string> {
  const server = await createServer({
    ...{ root: import.meta.dirname, configFile: false, logLevel: 'error', appType: 'custom' },
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  });
  try {
    const { frameMarkup } = (await server.ssrLoadModule('/src/shell/frame.tsx')) as FrameModule;
    return frameMarkup();
  } finally {
    await server.close();
  }
}
