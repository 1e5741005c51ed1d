import { Link } from '@tanstack/react-router';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import { Tried, TriedRest } from './tried-event.tsx';
import type { TriedReceived } from './use-tried-calls.ts';

/** The events of one call that a preview shows. */
const SHOWN_EVENTS = 3;

/** What unsaved rules would do with the last calls. `leftOut`: the number of the first rule that is not complete. */
export function RulesPreview({ tried, leftOut }: { tried: TriedReceived[] | null; leftOut: number | null }) {
  return (
    <section className="stack tight" aria-label={t('Preview')}>
      <b>{t('What these rules would do with the last calls')}</b>
      {leftOut !== null && (
        <p className="muted">
          {t('Rule {number} is not complete, so it and the rules below it are left out.', {
            number: leftOut,
          })}
        </p>
      )}
      {tried === null ? (
        <p className="muted">{t('Trying the rules …')}</p>
      ) : (
        <ul className="card lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {tried.map((one) => (
            <Received key={one.call.id} received={one} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Received({ received: { call, tried, problem } }: { received: TriedReceived }) {
  const now = useNow(60_000);
  const events = tried?.events ?? [];
  const more = events.length - SHOWN_EVENTS;
  return (
    <li className="line wrap" style={{ alignItems: 'flex-start' }}>
      <Link
        className="link tabular"
        style={{ flex: 'none' }}
        to="/notifications/$id"
        params={{ id: call.id }}
      >
        <When at={call.received_at} now={now} />
      </Link>
      <div className="grow stack" style={{ minWidth: 220 }}>
        {events.slice(0, SHOWN_EVENTS).map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events have no id, and never change their order
          <Tried key={index} event={event} />
        ))}
        {more > 0 && <span className="muted">{t('and {count} more', { count: more })}</span>}
        {tried && events.length === 0 && <span className="muted">{tried.message}</span>}
        {tried && <TriedRest tried={tried} />}
        {problem && <span className="muted wordwrap">{problem}</span>}
      </div>
    </li>
  );
}
