/**
 * Shows push notifications, also while no dashboard is open, and lets people acknowledge pages from them. It caches
 * nothing: a stale dashboard with old pages would be worse than none.
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
  page_url: string;
};
/** A push that is not a page: a notice, a verification code or a test. It cannot be acknowledged and is silent. */
type QuietPush = {
  type: 'notice' | 'verification' | 'test';
  id: string;
  title: string;
  text: string;
  url: string | null;
};
type NotificationAction = { action: string; title: string };
type Shown = NotificationOptions & { actions?: NotificationAction[]; renotify?: boolean; vibrate?: number[] };

self.addEventListener('install', () => void self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const push = event.data?.json() as Push | QuietPush | undefined;
  if (push) event.waitUntil(isPage(push) ? show(push) : showQuietly(push));
});

self.addEventListener('notificationclick', (event) => {
  const push = event.notification.data as Push | QuietPush;
  event.notification.close();
  if (!isPage(push)) event.waitUntil(open(push.url ?? '/inbox'));
  else event.waitUntil(event.action === 'acknowledge' ? acknowledge(push) : open(push.page_url));
});

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
          { action: 'acknowledge', title: 'Acknowledge' },
          { action: 'open', title: 'Open' },
        ]
      : [],
    ...(quiet ? {} : { vibrate: [400, 150, 400, 150, 400] }),
  };
  await self.registration.showNotification(push.title, options);
}

/** The signed link needs no session, so that a phone that was signed out long ago can still acknowledge. */
async function acknowledge(push: Push): Promise<void> {
  const link = new URL(push.acknowledge_url);
  const answer = await fetch(`${link.pathname}?via=push`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    // Identifies this press, so that a request that is sent twice acts only once.
    body: new URLSearchParams({ answer: crypto.randomUUID() }),
  }).catch(() => null);
  if (!answer?.ok) return open(push.page_url);
  const { response } = (await answer.json()) as { response: { message: string } };
  await self.registration.showNotification(push.title, {
    body: response.message,
    tag: push.page_id,
    silent: true,
    icon: '/icon-192.png',
    data: push,
  });
}

async function open(address: string): Promise<void> {
  const path = new URL(address, self.location.origin).pathname;
  const [shown] = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (!shown) return void (await self.clients.openWindow(path));
  await shown.focus();
  shown.postMessage({ open: path });
}

// Makes this file a module; otherwise `self` could not be declared with its right type.
export {};
