import type { TriedCall, TriedEvent, TriedStep } from '../../sources/try-contract.ts';
import { table } from '../output.ts';

/** The effect of a call, for people. */
export function triedText({ message, events, events_left_out, orders, warnings }: TriedCall): string {
  const leftOut =
    events_left_out === 0 ? [] : [`The call has ${events_left_out} more events, which were not tried.`];
  return [
    ...events.flatMap((event) => [eventText(event), '']),
    ...orders.map(
      ({ page, action, reason }) => `${page ?? 'no page'}: ${action}${reason ? `. ${reason}` : ''}`,
    ),
    ...warnings,
    ...leftOut,
    `${message} Nothing was stored.`,
  ].join('\n');
}

function eventText(tried: TriedEvent): string {
  const { event, action, reason, dedup_key, rule, urgency, reasons, page, recipient, window, hold, steps } =
    tried;
  const rows: [string, string][] = [
    ['event', `${event.action}: ${event.title}`],
    ['dedup key', dedup_key ?? 'none'],
    ['severity', event.severity ?? 'none'],
    ...(event.labels.length > 0 ? [['labels', event.labels.join(', ')] satisfies [string, string]] : []),
    ...(event.action === 'trigger'
      ? [['rule', rule?.text ?? 'none matched'] satisfies [string, string]]
      : []),
    ...(urgency
      ? [['urgency', [urgency, ...reasons.slice(0, 1)].join(', ')] satisfies [string, string]]
      : []),
    ['would be', reason ? `${action}: ${reason}` : action],
    ...(page ? [['page', `${page.id} (${page.state}, ${page.urgency})`] satisfies [string, string]] : []),
    ...(recipient ? [['pages', `${recipient.name} (${recipient.handle})`] satisfies [string, string]] : []),
    ...(window
      ? [['window', `${window.name} (${window.id}), until ${window.until}`] satisfies [string, string]]
      : []),
    ...(hold
      ? [['held by', `${hold.reason}${hold.until ? `, until ${hold.until}` : ''}`] satisfies [string, string]]
      : []),
    ...steps.map((step): [string, string] => [afterText(step.after_seconds), stepText(step)]),
  ];
  return table(rows);
}

function stepText(step: TriedStep): string {
  if (step.kind === 'expire') return 'the page expires, and every member of the team is notified';
  const { as, stage, people } = step;
  const place = stage === null ? as : `stage ${stage}`;
  const names = people.map(({ person, notifications }) => {
    const channels = notifications.map(({ channel, after_seconds }) =>
      after_seconds === 0 ? channel : `${channel} ${afterText(after_seconds)}`,
    );
    return `${person.name} (${channels.join(', ') || 'cannot be reached'})`;
  });
  return `${place}: ${names.join(', ') || 'nobody'}`;
}

function afterText(seconds: number): string {
  if (seconds <= 0) return 'now';
  if (seconds < 60) return `after ${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `after ${minutes} min` : `after ${Math.round(minutes / 60)} h`;
}
