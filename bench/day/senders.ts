import { randomUUID } from 'node:crypto';

/** Something that a tool reports. The first call opens it, further calls repeat it, and the last one resolves it. */
export type Thing = { number: number; host: string; beganAt: Date };
export type Phase = 'open' | 'repeat' | 'resolve';
export type Call = { path: string; headers: Record<string, string>; body: string };

/**
 * Calls in the format of a tool, to a webhook of this type. The name of the moment contains `No.` and the thing's
 * number.
 */
export type Sender = { type: string; call(thing: Thing, phase: Phase, now: Date): Omit<Call, 'path'> };

/** The pattern that finds the number in the name of a moment. */
export const NUMBER = 'No\\. (\\d+)\\M';

const details = 'At the rate of the last six hours no space is left. '.repeat(6);
const plain = (body: object, headers = {}) => ({ headers, body: JSON.stringify(body) });

function alertGroup(type: string): Sender {
  return {
    type,
    call({ number, host, beganAt }, phase, now) {
      const status = phase === 'resolve' ? 'resolved' : 'firing';
      const labels = {
        alertname: 'DiskWillFill',
        instance: `${host}:9100`,
        severity: 'warning',
        cluster: 'eu-1',
      };
      const annotations = { summary: `No. ${number}: the disk of ${host} fills`, description: details };
      const endsAt = phase === 'resolve' ? now.toISOString() : '0001-01-01T00:00:00Z';
      return plain({
        ...{
          version: '4',
          groupKey: `{}:{number="${number}"}`,
          status,
          receiver: 'tocsin',
          truncatedAlerts: 0,
        },
        ...{ groupLabels: labels, commonLabels: labels, commonAnnotations: annotations },
        externalURL: 'http://alerts.example.com',
        alerts: [
          {
            ...{ status, labels, annotations, startsAt: beganAt.toISOString(), endsAt },
            generatorURL: 'http://prometheus.example.com/graph',
            fingerprint: number.toString(16).padStart(16, '0'),
          },
        ],
      });
    },
  };
}

const uptimeKuma: Sender = {
  type: 'uptime-kuma',
  call: ({ number, host }, phase, now) =>
    plain({
      heartbeat: {
        monitorID: number,
        status: phase === 'resolve' ? 1 : 0,
        time: now.toISOString(),
        msg: '502',
      },
      monitor: {
        id: number,
        name: `No. ${number} ${host}`,
        url: `https://${host}.example.com/health`,
        type: 'http',
      },
      msg: `[${host}] 502`,
    }),
};

const zabbix: Sender = {
  type: 'zabbix',
  call: ({ number, host, beganAt }, phase, now) =>
    plain({
      event_at: beganAt.toISOString(),
      event_recovery_at: phase === 'resolve' ? now.toISOString() : null,
      event_id: String(number),
      event_name: `No. ${number} Disk is full`,
      event_severity: 'High',
      event_source: '0',
      event_value: phase === 'resolve' ? '0' : '1',
      host_name: host,
      trigger_description: details,
    }),
};

const github: Sender = {
  type: 'github',
  call({ number, host, beganAt }, phase, now) {
    const state = phase === 'resolve' ? 'closed' : 'open';
    const issue = {
      ...{ number, title: `No. ${number} Checkout loses baskets on ${host}`, state, body: details },
      ...{ html_url: `https://github.com/acme/shop/issues/${number}`, labels: [{ name: 'incident' }] },
      created_at: beganAt.toISOString(),
      updated_at: (phase === 'open' ? beganAt : now).toISOString(),
      closed_at: phase === 'resolve' ? now.toISOString() : null,
    };
    const action = { open: 'opened', repeat: 'edited', resolve: 'closed' }[phase];
    const repository = { id: 5, name: 'shop', full_name: 'acme/shop' };
    return plain(
      { action, issue, repository },
      { 'x-github-event': 'issues', 'x-github-delivery': randomUUID() },
    );
  },
};

/** Each of its calls makes a moment of its own. */
export const custom: Sender = {
  type: 'custom',
  call: ({ number, host }) =>
    plain({
      name: `No. ${number} Deploy rolled back`,
      type: 'near-miss',
      source: host,
      description: details,
    }),
};

/** Senders whose calls report repeats and the end. */
export const SENDERS: readonly Sender[] = [
  alertGroup('alertmanager'),
  alertGroup('grafana'),
  uptimeKuma,
  zabbix,
  github,
];
