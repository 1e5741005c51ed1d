import { Link } from '@tanstack/react-router';
import type { TriedCall, TriedEvent } from '../../../src/sources/try-contract.ts';
import { capital } from '../kit/detail.ts';
import { Pill } from '../kit/pill.tsx';
import { shortTime } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { t } from '../language/t.ts';
import { URGENCY_TONES, urgencyName } from '../pages/words.ts';

/** What one event of a call would do, as it was read, and why. */
export function Tried({ event }: { event: TriedEvent }) {
  const { event: read, dedup_key, urgency, rule, reasons } = event;
  const facts = factsOf(event);
  return (
    <div className="stack tight">
      <div className="row wrap" style={{ columnGap: 8, rowGap: 4 }}>
        <b className="wordwrap">{read.title || dedup_key}</b>
        {urgency === 'none' && <Pill tone="none">{t('does not page')}</Pill>}
        {urgency !== null && urgency !== 'none' && (
          <Pill tone={URGENCY_TONES[urgency]}>{urgencyName(urgency)}</Pill>
        )}
      </div>
      {facts.length > 0 && <span className="mono faint wordwrap">{facts.join('  ')}</span>}
      <Outcome event={event} />
      {urgency !== null && (
        <span className="muted wordwrap">
          {rule === null && `${t('No rule matches.')} `}
          {reasons.map((reason) => `${capital(reason)}.`).join(' ')}
        </span>
      )}
    </div>
  );
}

function Outcome({ event: { action, reason, page, recipient, hold } }: { event: TriedEvent }) {
  const now = useNow(60_000);
  return (
    <span className="wordwrap">
      {action === 'raised' && recipient
        ? t('Would raise a page for {name}', { name: recipient.name })
        : WOULD[action]}
      {page && (
        <>
          {' '}
          <Link className="link" to="/pages/$id" params={{ id: page.id }}>
            {page.title}
          </Link>
        </>
      )}
      .{reason && ` ${reason}`}
      {hold?.until &&
        ` ${t('It would page {time}, if it is still open.', { time: shortTime(hold.until, now) })}`}
    </span>
  );
}

/** The sentence continues with the title of an open page, if the event is about one. */
const WOULD: Record<TriedEvent['action'], string> = {
  raised: t('Would raise a page'),
  updated: t('Would update its open page'),
  acknowledged: t('Would acknowledge its page'),
  resolved: t('Would resolve its page'),
  waiting: t('Would wait'),
  ignored: t('Would not page anyone'),
};

/** What rules can match, besides the title: `severity=critical`, `env=prod`. */
function factsOf({ event: { severity, source, labels }, dedup_key }: TriedEvent): string[] {
  return [
    ...(severity === null ? [] : [`severity=${severity}`]),
    ...(source === null ? [] : [`source=${source}`]),
    ...labels,
    ...(dedup_key === null ? [] : [`dedup_key=${dedup_key}`]),
  ];
}

/** What a call has besides events: orders of other products’ APIs, events that were not tried, and warnings. */
export function TriedRest({ tried: { orders, events_left_out, warnings } }: { tried: TriedCall }) {
  return (
    <>
      {orders.map(({ action, reason }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: orders have no id, and never change their order
        <span key={index}>
          {WOULD[action]}.{reason && ` ${reason}`}
        </span>
      ))}
      {events_left_out > 0 && (
        <span className="muted">
          {t('{count, plural, =1 {One more event was not tried.} other {# more events were not tried.}}', {
            count: events_left_out,
          })}
        </span>
      )}
      {warnings.map((warning) => (
        <span key={warning} className="ink-watch">
          {warning}
        </span>
      ))}
    </>
  );
}
