import type { Notification, Resolution } from '../../src/notifications/channels/channel.ts';

/** A notification about a page to a team's first stage, with overrides. */
export function aNotification(overrides: Partial<Notification> = {}): Notification {
  return {
    type: 'page.notification',
    deliveryId: 'delivery_01jd3v8k3ze2a9h5q7x0w4m6np',
    attempt: 1,
    pageId: 'page_01jd3v8k2ye2a9h5q7x0w4m6np',
    title: 'Disk full on db-1',
    text: 'The disk of db-1 is at 99 % and fills up in 20 minutes.',
    urgency: 'high',
    sourceUrl: 'https://grafana.example/alerts/17',
    team: { name: 'Site Reliability', slug: 'sre' },
    stage: '1',
    round: 1,
    repeat: false,
    bundled: [],
    acknowledgeUrl: 'https://tocsin.example/a/3kTq9hX0a1b2c3d4e5f6g7',
    pageUrl: 'https://tocsin.example/pages/page_01jd3v8k2ye2a9h5q7x0w4m6np',
    sentAt: Temporal.Instant.from('2026-11-20T03:04:05.678Z'),
    replyCode: '4821',
    ...overrides,
  };
}

/** Its source resolved the page, with overrides. */
export function aResolution(overrides: Partial<Resolution> = {}): Resolution {
  return {
    id: 'delivery_01jd3v8k9me2a9h5q7x0w4m6np',
    notification: aNotification(),
    providerId: null,
    by: 'Prometheus',
    resolvedAt: Temporal.Instant.from('2026-11-20T03:09:11.012Z'),
    sentAt: Temporal.Instant.from('2026-11-20T03:09:11.034Z'),
    ...overrides,
  };
}

/** Three more pages for a bundle. */
export const THREE_MORE = [
  { pageId: 'page_01jd3v8k2ye2a9h5q7x0w4m6n1', title: 'Queue stuck' },
  { pageId: 'page_01jd3v8k2ye2a9h5q7x0w4m6n2', title: 'Backups late' },
  { pageId: 'page_01jd3v8k2ye2a9h5q7x0w4m6n3', title: 'Certificate expires' },
];
