/**
 * Shows push notifications, also while no dashboard is open, and lets people acknowledge pages from them. Of the dashboard
 * it caches nothing: a stale one with old pages would be worse than none. Without a network, it shows a page of its own
 * that says who is on call (`web/offline.html`).
 */
declare const self: ServiceWorkerGlobalScope;

/** The decrypted payload of a push message. */
type Push = {
  type: 'page.notification' | 'page.expired';
  page_id: string;
  title: string;
  text: string;
  urgency: 'low' | 'medium' | 'high';
  acknowledge_url: string;
  /** In the language of the person; none from an older release. */
  buttons?: { acknowledge: string; open: string };
  /** What is shown if the answer to an acknowledgement does not arrive; none from an older release. */
  unconfirmed?: string;
  page_url: string;
  /** Set once it was acknowledged from this device. */
  answered?: boolean;
};
/** Not every browser has badges. */
type BadgeNavigator = {
  setAppBadge?: (count?: number) => Promise<void>;
  clearAppBadge?: () => Promise<void>;
};
/** A push that is not a page: a notice, a verification code or a test. It cannot be acknowledged and is silent. */
type QuietPush = {
  type: 'notice' | 'verification' | 'test';
  id: string;
  title: string;
  text: string;
  url: string | null;
};
type Acknowledged = { response: { message: string } };
type NotificationAction = { action: string; title: string };
type Shown = NotificationOptions & { actions?: NotificationAction[]; renotify?: boolean; vibrate?: number[] };

/** The person must learn soon that their acknowledgement may not have arrived, because the page keeps escalating. */
const ANSWER_MS = 10_000;
/** A dashboard that is open answers within milliseconds. */
const DASHBOARD_MS = 500;

/** The page for the time without a network, and all that it loads. */
const OFFLINE_CACHE = 'tocsin-offline';
const OFFLINE_PAGE = '/offline.html';
const OFFLINE_FILES = [OFFLINE_PAGE, '/offline.js', '/icon.svg'];

self.addEventListener('install', (event) => {
  void self.skipWaiting();
  event.waitUntil(keepOfflinePage());
});
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') event.respondWith(navigate(event));
  else if (OFFLINE_FILES.includes(url.pathname)) event.respondWith(fetchOrKept(request, url.pathname));
});

/** Failing to keep it must not keep push from working. */
async function keepOfflinePage(): Promise<void> {
  const cache = await caches.open(OFFLINE_CACHE);
  await cache
    .addAll(OFFLINE_FILES.map((path) => new Request(path, { cache: 'reload' })))
    .catch(() => undefined);
}

async function navigate(event: FetchEvent): Promise<Response> {
  try {
    const loaded =
      (await (event.preloadResponse as Promise<Response | undefined>)) ?? (await fetch(event.request));
    return loaded;
  } catch (error) {
    const kept = await (await caches.open(OFFLINE_CACHE)).match(OFFLINE_PAGE);
    if (!kept) throw error;
    return kept;
  }
}

async function fetchOrKept(request: Request, path: string): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await (await caches.open(OFFLINE_CACHE)).match(path);
    if (!kept) throw error;
    return kept;
  }
}

self.addEventListener('push', (event) => {
  const push = event.data?.json() as Push | QuietPush | undefined;
  if (push) event.waitUntil(isPage(push) ? show(push) : showQuietly(push));
});

self.addEventListener('notificationclick', (event) => {
  const push = event.notification.data as Push | QuietPush;
  event.notification.close();
  if (!isPage(push)) event.waitUntil(open(push.url ?? '/inbox'));
  else event.waitUntil(event.action === 'acknowledge' ? acknowledge(push) : openPage(push));
});

async function openPage(push: Push): Promise<void> {
  await open(push.page_url);
  await showBadge();
}

function isPage(push: Push | QuietPush): push is Push {
  return push.type === 'page.notification' || push.type === 'page.expired';
}

async function showQuietly(push: QuietPush): Promise<void> {
  await self.registration.showNotification(push.title, {
    body: push.text,
    tag: push.id,
    silent: push.type !== 'test',
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: push,
  });
}

async function show(push: Push): Promise<void> {
  const open = push.type === 'page.notification';
  const quiet = push.urgency === 'low' || !open;
  const options: Shown = {
    body: push.text,
    tag: push.page_id,
    renotify: true,
    silent: quiet,
    requireInteraction: !quiet,
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: push,
    actions: open
      ? [
          { action: 'acknowledge', title: push.buttons?.acknowledge ?? 'Acknowledge' },
          { action: 'open', title: push.buttons?.open ?? 'Open' },
        ]
      : [],
    ...(quiet ? {} : { vibrate: [400, 150, 400, 150, 400] }),
  };
  await self.registration.showNotification(push.title, options);
  await showBadge();
}

/** Shows on the icon of the app how many pages are shown that nobody has answered from here. */
async function showBadge(): Promise<void> {
  const { setAppBadge, clearAppBadge } = self.navigator as BadgeNavigator;
  if (!setAppBadge || !clearAppBadge) return;
  const shown = await self.registration.getNotifications();
  const pages = shown.filter(({ data }) => isPage(data as Push) && !(data as Push).answered).length;
  await (pages === 0 ? clearAppBadge.call(self.navigator) : setAppBadge.call(self.navigator, pages)).catch(
    () => undefined,
  );
}

/** The signed link needs no session, so that a phone that was signed out long ago can still acknowledge. */
async function acknowledge(push: Push): Promise<void> {
  const link = new URL(push.acknowledge_url);
  const answer = await fetch(`${link.pathname}?via=push`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    // Identifies this press, so that a request that is sent twice acts only once.
    body: new URLSearchParams({ answer: crypto.randomUUID() }),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  if (answer && !answer.ok && answer.status < 500) return open(push.page_url);
  const said = answer?.ok ? ((await answer.json().catch(() => null)) as Acknowledged | null) : null;
  // The press has closed the notification. Browsers open no window this long after it.
  if (!said) return show({ ...push, text: push.unconfirmed ?? push.text });
  await self.registration.showNotification(push.title, {
    body: said.response.message,
    tag: push.page_id,
    silent: true,
    icon: '/icon-192.png',
    data: { ...push, answered: true },
  });
  await showBadge();
}

/** Shows a view in a dashboard that is open, otherwise in a new window, or in another one of the service if none may be opened. */
async function open(address: string): Promise<void> {
  const path = new URL(address, self.location.origin).pathname;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const dashboard = await Promise.any(windows.map(whenDashboard)).catch(() => null);
  if (dashboard) {
    dashboard.postMessage({ open: path });
    await dashboard.focus().catch(() => undefined);
  } else {
    // A browser opens windows only for some seconds after the press.
    await self.clients.openWindow(path).catch(() => windows[0]?.navigate(path));
  }
}

/**
 * Resolves with a window that shows the dashboard. Rejects for others, such as the page of an acknowledge link, which would
 * ignore the message that opens a view.
 */
async function whenDashboard(window: WindowClient): Promise<WindowClient> {
  const { port1, port2 } = new MessageChannel();
  const { promise, resolve, reject } = Promise.withResolvers<WindowClient>();
  port1.onmessage = () => resolve(window);
  setTimeout(reject, DASHBOARD_MS);
  window.postMessage({}, [port2]);
  return promise;
}

// Makes this file a module; otherwise `self` could not be declared with its right type.
export {};
