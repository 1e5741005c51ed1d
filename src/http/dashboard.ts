import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import files from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PLAIN_PAGE_HEADERS, plainPage } from '../kit/plain-page.ts';
import { SCHEDULES_PATH } from '../schedules/contract.ts';
import { hasSessionCookie } from '../sessions/session.ts';
import { firstAnswers } from './first-answers.ts';
import { FRAME_END, FRAME_START, OUTSIDE } from './frame-contract.ts';
import type { ViewFiles } from './view-files-contract.ts';

const BUILT = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** The paths of the dashboard. Each returns the same document, which then chooses the view. */
const VIEWS = [
  ...['/', '/pages', '/keys', '/profile', '/inbox', '/people', '/sign-in', '/moments', '/notifications'],
  ...['/problems', '/teams', '/requests', '/settings', '/reports', '/schedules/new', '/availability'],
  '/pay',
  ...['/first-page', '/set-up', '/welcome', '/new-password', '/invitation', '/account', '/saved-on-call'],
];
/**
 * The paths of single objects. Only the document can check whether the object exists, so clients other than browsers
 * get 404 here.
 */
const VIEWS_OF_ONE = [
  ...['/pages/*', '/people/*', '/moments/*', '/notifications/*', '/teams/*', '/webhooks/*', '/requests/*'],
  ...['/windows/*', '/sources/*', '/pay/*'],
  ...['/schedules/*', '/availability/*'],
];

/** Only our own files may run. The component library sets inline styles on elements, which needs `unsafe-inline`. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the built dashboard. Files with a content hash in their name are cached for ever, others are not cached. */
export async function serveDashboard(listener: FastifyInstance): Promise<void> {
  const hidden = { schema: { hide: true } } as const;
  if (!existsSync(join(BUILT, 'index.html'))) {
    for (const url of [...VIEWS, ...VIEWS_OF_ONE])
      listener.get(url, hidden, async (_, reply) =>
        reply.code(503).headers(PLAIN_PAGE_HEADERS).send(notBuilt()),
      );
    return;
  }
  await listener.register(files, {
    root: BUILT,
    // The routes are below, because the package would add two for each of hundreds of files.
    serve: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders(reply, path) {
      const immutable = path.startsWith(join(BUILT, 'assets'));
      reply.header('cache-control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache');
      // The policy for the service worker comes with its own file.
      reply.header('content-security-policy', POLICY);
    },
  });
  for (const file of filesAtRoot())
    listener.get(`/${file}`, hidden, async (_, reply) => reply.sendFile(file));
  listener.get<{ Params: { '*': string } }>('/assets/*', hidden, async ({ params }, reply) =>
    reply.sendFile(`assets/${params['*']}`),
  );
  const send = documentOf(listener);
  for (const url of VIEWS) listener.get(url, hidden, async (request, reply) => send(request, reply));
  // SCHEDULES_PATH is also a path of the public API.
  for (const url of [...VIEWS_OF_ONE, SCHEDULES_PATH])
    listener.get(url, { ...hidden, constraints: { toRead: true } }, async (request, reply) =>
      send(request, reply),
    );
  // A browser gets the dashboard, which shows a 404 page with links; other clients get a JSON error.
  listener.get('/*', { ...hidden, constraints: { toRead: true } }, async (request, reply) =>
    send(request, reply.code(404)),
  );
}

/**
 * Sends the document of a view. Its head leaves at once, so that the browser loads the scripts while the first answers
 * are made; they end the document, and scripts of this kind run after its end.
 */
function documentOf(listener: FastifyInstance) {
  const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const [head = '', body = ''] = html.split('</head>');
  const end = body.indexOf('</body>');
  const framed = body.slice(0, end);
  const bare = withoutFrame(framed);
  const hints = hintsOfViews();
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const [path = ''] = request.url.split('?');
    async function* parts() {
      yield `${head}${hints(path)}</head>${isFramed(request, path) ? framed : bare}`;
      yield await firstAnswers(listener, request);
      yield body.slice(end);
    }
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        // It holds what only the viewer may see.
        'cache-control': 'no-store',
      })
      .send(request.method === 'HEAD' ? '' : Readable.from(parts()));
  };
}

/** Only people who are signed in see a view with the frame. */
function isFramed({ cookies }: FastifyRequest, path: string): boolean {
  return hasSessionCookie(cookies) && !OUTSIDE.includes(path);
}

export function withoutFrame(body: string): string {
  const start = body.indexOf(FRAME_START);
  // A dashboard that an earlier release built has none.
  if (start < 0) return body;
  return body.slice(0, start) + body.slice(body.indexOf(FRAME_END) + FRAME_END.length);
}

/** Elements that name the files of a view, by its path: the browser loads them together with the first load. */
function hintsOfViews(): (path: string) => string {
  const path = join(BUILT, 'views.json');
  // A dashboard that an earlier release built has no such file, and works without the hints.
  const views = (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}) as ViewFiles;
  const patterns = Object.entries(views).map(([path, files]) => ({
    path,
    pattern: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
    elements: files.map(hintOf).join(''),
  }));
  return (path) => {
    const found =
      patterns.find((one) => one.path === path) ?? patterns.find(({ pattern }) => pattern.test(path));
    return found?.elements ?? '';
  };
}

function hintOf(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin href="/${file}">`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`;
}

/** Files outside of `assets`, without their compressed copies and what only the service reads. */
function filesAtRoot(): string[] {
  return readdirSync(BUILT, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(br|gz|json)$/.test(entry.name))
    .map(({ name }) => name);
}

function notBuilt(): string {
  return plainPage(
    'Not built',
    '<h1>The dashboard is not built yet.</h1><p>Start the service with <code>npm start</code>, which builds it first. Paging works without it.</p>',
  );
}
