import { pushApi } from '../../../src/people/push-api-contract.ts';
import { send } from '../api/call.ts';
import { t } from '../language/t.ts';

export type PushState = 'on' | 'off' | 'blocked' | 'unsupported';

export function registerServiceWorker(open: (path: string) => void): void {
  if (!('serviceWorker' in navigator)) return;
  void navigator.serviceWorker.register('/service-worker.js', { type: 'module' }).catch(() => undefined);
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ open?: string }>) => {
    // The worker has looked for a window that shows the dashboard.
    ports[0]?.postMessage(0);
    if (data.open) open(data.open);
  });
}

/** Whether this browser shows pages while no dashboard is open. */
export async function pushState(): Promise<PushState> {
  if (!('serviceWorker' in navigator) || !('PushManager' in window)) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ? 'on' : 'off';
}

/** Asks the browser for permission, subscribes, and registers the subscription with the service. */
export async function switchPushOn(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(t('The browser does not allow notifications; allow them for this site in its settings.'));
  const { key } = await send(pushApi.key);
  const registration = await navigator.serviceWorker.ready;
  // A subscription that was made with another VAPID key would be refused.
  await (await registration.pushManager.getSubscription())?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const { endpoint = '', keys } = subscription.toJSON();
  await send(pushApi.subscribe, {
    body: { endpoint, keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } },
  });
}

export async function switchPushOff(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  await send(pushApi.unsubscribe, { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
}
