import { existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { hasRoomInMemory } from './memory.ts';
import { PATIENCE_MS } from './patience.ts';
import { within } from './within.ts';

const SCREENSHOTS = fileURLToPath(new URL('../screenshots', import.meta.url));

export const SIZES = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const;
export type Size = keyof typeof SIZES;
export type Scheme = 'dark' | 'light';

/**
 * The colour schemes in which views are tested at a size. By default each size and each scheme is tested once; with
 * EVERY_LOOK=1 every combination is, which takes twice as long.
 */
export function schemesAt(size: Size): Scheme[] {
  if (process.env.EVERY_LOOK) return ['dark', 'light'];
  return size === 'desk' ? ['dark'] : ['light'];
}

/** What a story does with its browser. `close` closes the tabs that the story opened, except those that are spare. */
export type StoryBrowser = Pick<Browser, 'newContext' | 'close'> & {
  /** Closed tabs of `openTab` that can be opened again, by what cannot be changed in them. */
  spare: Map<string, Page[]>;
  /** A tab of an earlier story that this one opens again. */
  adopt(page: Page): void;
};

let shared: Promise<Browser> | null = null;
/** Stories of one process have the same origin one after the other (`portAgain`), so what a tab compiled lasts. */
const spare = new Map<string, Page[]>();
// Stories of one process share a Chromium, whose start costs as much as the first view of each.
after(async () => (await shared)?.close());

/**
 * The Chromium of this process, which is started for the first story that needs one. The shell without windows opens a view
 * with half of the processor time, but shows no `notifications`: that story gets a Chromium of its own. @throws with the
 * package to install when there is none
 */
export async function launchBrowser({ notifications = false } = {}): Promise<StoryBrowser> {
  if (notifications) {
    const own = await launch(true);
    return {
      newContext: (options) => own.newContext(options),
      close: () => own.close(),
      spare: new Map(),
      adopt: () => undefined,
    };
  }
  shared ??= launch(false);
  const browser = await shared;
  const contexts = new Set<BrowserContext>();
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.add(context);
      return context;
    },
    async close() {
      const kept = new Set([...spare.values()].flat().map((page) => page.context()));
      await Promise.all([...contexts.difference(kept)].map((context) => context.close()));
    },
    spare,
    adopt: (page) => contexts.add(page.context()),
  };
}

async function launch(notifications: boolean): Promise<Browser> {
  const executablePath = findProgram(
    notifications ? WITH_WINDOWS : ['chromium-headless-shell', ...WITH_WINDOWS],
  );
  if (!executablePath)
    throw new Error('The tests of the dashboard need Chromium; as root, run: apt-get install chromium');
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({
    executablePath,
    // Otherwise what processes of the browser share, such as what they draw, is in files on the disk.
    ignoreDefaultArgs: hasRoomInMemory() ? ['--disable-dev-shm-usage'] : [],
    args: [
      ...asRoot,
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--autoplay-policy=no-user-gesture-required',
      // Optimizing scripts takes longer than it saves in views that live for seconds.
      '--js-flags=--max-opt=1',
    ],
  });
}

const WITH_WINDOWS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The first of these programs that is in a folder of PATH. */
function findProgram(names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

export type Tab = {
  page: Page;
  /** Errors so far, as the browser reports them: violated policies, failed scripts. */
  errors: string[];
  close(): Promise<void>;
};

/**
 * A tab with cookies, storage, size and colour scheme of its own. `worker`: the service worker runs, which costs processor
 * time in every tab. A closed tab is emptied and opened again, because its scripts are compiled, which takes half of the first
 * load of a page; one that a test changed in a way that stays is not.
 */
export async function openTab(
  browser: StoryBrowser,
  size: Size = 'desk',
  scheme: Scheme = 'dark',
  worker: 'with worker' | 'without worker' = 'without worker',
): Promise<Tab> {
  const kind = `${size} ${scheme} ${worker}`;
  const page = (await openAgain(browser, kind)) ?? (await newTab(browser, size, scheme, worker));
  page.setDefaultTimeout(PATIENCE_MS);
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`${message.text()} ${message.location().url}`);
  });
  return {
    page,
    errors,
    async close() {
      const spare = worker === 'without worker' && (await emptied(page));
      if (spare) browser.spare.set(kind, [...(browser.spare.get(kind) ?? []), spare]);
      else await page.context().close();
    },
  };
}

async function newTab(browser: StoryBrowser, size: Size, scheme: Scheme, worker: string): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport: SIZES[size],
    // A phone zooms out when something is wider than its screen, and fingers do not hover.
    ...(size === 'phone' ? { isMobile: true, hasTouch: true } : {}),
    colorScheme: scheme,
    timezoneId: 'Europe/Berlin',
    // Decides between a clock of 12 and of 24 hours where a person has not chosen.
    locale: 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: worker === 'with worker' ? 'allow' : 'block',
  });
  // Fixes the scheme, which otherwise depends on the time of day.
  await context.addInitScript((chosen) => localStorage.setItem('mantine-color-scheme-value', chosen), scheme);
  const page = await context.newPage();
  noteWhatStays(page);
  return page;
}

/** Tabs that a test changed in a way that would stay for the next one. */
const changed = new WeakSet<Page>();

const LASTING = {
  page: ['addInitScript', 'emulateMedia', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket'],
  context: [
    ...['addInitScript', 'exposeBinding', 'exposeFunction', 'grantPermissions', 'newCDPSession', 'newPage'],
    ...['route', 'routeWebSocket', 'setExtraHTTPHeaders', 'setGeolocation', 'setOffline'],
  ],
  clock: ['install', 'setFixedTime', 'setSystemTime'],
};

function noteWhatStays(page: Page): void {
  const parts: [object, string[]][] = [
    [page, LASTING.page],
    [page.context(), LASTING.context],
    [page.clock, LASTING.clock],
  ];
  for (const [part, names] of parts)
    for (const name of names) {
      const original = Reflect.get(part, name) as () => unknown;
      Reflect.set(part, name, (...given: unknown[]) => {
        changed.add(page);
        return Reflect.apply(original, part, given);
      });
    }
}

/** Ends what the page does, as closing its tab would. Undefined when the tab cannot be opened again. */
async function emptied(page: Page): Promise<Page | undefined> {
  const origin = /^https?:[/][/][^/]+/.exec(page.url())?.[0];
  const isAlone = !page.isClosed() && page.context().pages().length === 1;
  if (!origin || !isAlone || changed.has(page)) return undefined;
  page.removeAllListeners();
  const left = await page.goto(origin + WITHOUT_SCRIPTS, { timeout: SOON_MS }).catch(() => null);
  return left && left.status() < 400 ? page : undefined;
}

/** Makes a spare tab as new; undefined when there is none. */
async function openAgain(browser: StoryBrowser, kind: string): Promise<Page | undefined> {
  const page = browser.spare.get(kind)?.pop();
  if (!page) return undefined;
  browser.adopt(page);
  await page.context().clearCookies();
  await page.evaluate(`(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const name of await caches.keys()) await caches.delete(name);
  })()`);
  // Otherwise what is under it would look as if somebody pointed at it.
  await page.mouse.move(-1, -1);
  return page;
}

/** A file of the same origin, so that the browser keeps its process, with the compiled scripts. */
const WITHOUT_SCRIPTS = '/icon.svg';
/** A server that is gone or silent should not hold up a test that is over. */
const SOON_MS = 2_000;

/** Signs a tab in with an existing session. */
export async function bringSession(page: Page, { cookie }: { cookie: string }, url: string): Promise<void> {
  const [name, value] = cookie.split('=') as [string, string];
  await page.context().addCookies([{ name, value, url }]);
}

/**
 * Opens a path in a tab that shows the dashboard, as a link does, and resolves when its view is rendered. Loading the page
 * again takes three times as long, and the checks of a view have to be loaded again with it. Open dialogs of the same path stay.
 */
export async function visit(page: Page, path: string): Promise<void> {
  // The router sets this for its developer tools, even in a built dashboard.
  await within(
    page.evaluate(`__TSR_ROUTER__.navigate({ href: ${JSON.stringify(path)} })`),
    `opening ${path}`,
  );
}

/**
 * Saves a screenshot for people to review, with PICTURES=1 or EVERY_LOOK=1: nothing compares them. `whole`: the full page
 * instead of the viewport.
 */
export async function photograph(page: Page, name: string, whole = false): Promise<void> {
  if (!process.env.PICTURES && !process.env.EVERY_LOOK) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: whole });
}
