import type { WebhookSettings } from '../src/moments/settings-contract.ts';
import type { PageText } from './page-texts.ts';
import type { TeamSlug } from './people.ts';

/** A webhook of the example and the tool that calls it. */
export type Sender = {
  name: string;
  type: string;
  team: TeamSlug;
  settings: WebhookSettings;
  /** Moments per day in addition to those about pages. */
  rate: number;
};

export const SENDERS = {
  prometheus: sender('Alertmanager, Frankfurt', 'alertmanager', 'platform', 0.35),
  uptime: sender('Outside checks', 'uptime-kuma', 'platform', 0.3),
  payments: sender('Grafana, payments', 'grafana', 'payments', 0.15),
  errors: sender('Errors of the shop', 'sentry', 'payments', 0.3),
  data: sender('Grafana, data', 'grafana', 'data', 0.2),
  depots: sender('Depot reports', 'custom', 'data', 0.16),
} as const;
export type SenderName = keyof typeof SENDERS;

/** The sender that reports a team's alerts first. */
export const ALERTS_FROM: Record<TeamSlug, SenderName> = {
  platform: 'prometheus',
  payments: 'payments',
  data: 'data',
};

export type Body = Record<string, unknown>;

/** An Alertmanager group with one alert; Grafana's format is nearly the same. */
export function alertGroup(
  { alert = 'Alert', instance = 'unknown', title, text }: PageText,
  severity: string,
  startsAt: string,
  endsAt: string | null,
): Body {
  const status = endsAt ? 'resolved' : 'firing';
  const labels = { alertname: alert, instance, severity };
  return {
    receiver: 'tocsin',
    status,
    version: '4',
    truncatedAlerts: 0,
    groupKey: `{}:{alertname="${alert}"}`,
    groupLabels: { alertname: alert },
    commonLabels: labels,
    commonAnnotations: {},
    externalURL: 'https://alerts.example.com',
    alerts: [
      {
        status,
        labels,
        startsAt,
        endsAt: endsAt ?? '0001-01-01T00:00:00Z',
        annotations: { summary: title, description: text },
        generatorURL: `https://grafana.example.com/d/${alert.toLowerCase()}`,
        fingerprint: fingerprint(`${alert} ${instance}`),
      },
    ],
  };
}

export function heartbeat(site: string, monitorID: number, isUp: boolean, at: string): Body {
  const msg = isUp ? '200 - OK' : 'Request failed with status code 502';
  return {
    heartbeat: {
      monitorID,
      status: isUp ? 1 : 0,
      time: at.slice(0, 23).replace('T', ' '),
      msg,
      important: true,
      timezone: 'UTC',
      timezoneOffset: '+00:00',
      duration: 60,
    },
    monitor: { id: monitorID, name: site, url: `https://${site}.example.com/health`, type: 'http' },
    msg: `[${site}] [${isUp ? '✅ Up' : '🔴 Down'}] ${msg}`,
  };
}

export function sentryIssue(id: number, title: string, level: string, isOver: boolean, at: string): Body {
  return {
    action: isOver ? 'resolved' : 'created',
    data: {
      issue: {
        ...{ id: String(id), shortId: `SHOP-${id.toString(36).toUpperCase()}`, title, level },
        culprit: 'charge(payments/gateway)',
        status: isOver ? 'resolved' : 'unresolved',
        project: { id: '42', name: 'Shop', slug: 'shop' },
        count: '12',
        userCount: 9,
        firstSeen: at,
        lastSeen: at,
        web_url: `https://fernway.sentry.example.com/issues/${id}/`,
      },
    },
    actor: { type: 'application', id: 'sentry', name: 'Sentry' },
  };
}

export const SITES = ['shop', 'tracking', 'labels', 'partners'] as const;

export const ERRORS = [
  ['TimeoutError: the card provider did not answer', 'error'],
  ["TypeError: cannot read 'iban' of undefined", 'error'],
  ['PayoutMismatch: sum of lines differs from total', 'fatal'],
  ['RateLimited: currency service', 'warning'],
] as const;

/** Reports from a form that people at the depots fill in; most are near misses. */
export const REPORTS = [
  [
    'near-miss',
    'Almost sent two vans to one address',
    'The second driver called. **Why**: the route was printed twice.',
  ],
  [
    'near-miss',
    'Scanner update stopped a minute before the shift',
    'Somebody noticed it by luck; there is no alert for it.',
  ],
  [
    'near-miss',
    'Backup generator did not start in the test',
    'It did at the second try. The battery is from 2019.',
  ],
  ['incident', 'Belt 3 stands still in Porto', 'The sensor of the gate reads *open*. Parcels go by hand.'],
  ['alert', 'Label printer warns of heat', 'Second time this month in Lisbon.'],
] as const;

export const NOISE: readonly PageText[] = [
  {
    title: 'Memory of cache-04 is nearly used up',
    text: '96 % for 10 minutes.',
    alert: 'MemoryLow',
    instance: 'cache-04',
  },
  { title: 'Clock of worker-09 is off', text: 'By 340 ms.', alert: 'ClockSkew', instance: 'worker-09' },
  {
    title: 'Backup of db-02 took too long',
    text: '4 h 10 min, usually 2 h.',
    alert: 'BackupSlow',
    instance: 'db-02',
  },
  {
    title: 'Consumers of eta are behind',
    text: '8,000 events.',
    alert: 'ConsumerLag',
    instance: 'eta-consumers',
  },
];

/** Calls that cannot be read: truncated, with a wrong signature, or from a form that was changed. */
export const UNREADABLE: readonly (readonly [sender: SenderName, body: string, times: number])[] = [
  ['prometheus', '{"receiver":"tocsin","status":"firing","alerts":[{"status":"fir', 1],
  ['data', '<html><body>502 Bad Gateway</body></html>', 2],
  ['depots', '{"name":"Belt 3 stands still","type":"warning","source":"Depot Porto"}', 12],
];

function fingerprint(text: string): string {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(16, '0');
}

function sender(name: string, type: string, team: TeamSlug, rate: number): Sender {
  const settings: WebhookSettings = {};
  return { name, type, team, settings, rate };
}
