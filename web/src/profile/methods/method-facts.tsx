import { methodOf } from '../../../../src/notifications/channels/contract.ts';
import type { MethodShown } from '../../../../src/people/contact-contract.ts';
import { When } from '../../kit/when.tsx';
import { Rich } from '../../language/rich.tsx';
import { listed, t } from '../../language/t.ts';

/** Facts about a contact method: problems first, then when it last reached its person. */
export function MethodFacts({ method, now }: { method: MethodShown; now: Date }) {
  const {
    verified,
    obstacle,
    failing,
    reached_at: reached,
    proved_at: proved,
    notices,
    events,
    type,
  } = method;
  if (!verified) return <div className="muted">{t('Nothing is sent here until you enter its code.')}</div>;
  if (obstacle) return <div className="muted">{capital(obstacle)}</div>;
  if (failing)
    return (
      <div className="ink-alarm" style={{ overflowWrap: 'anywhere' }}>
        <Rich
          text="The last page to it failed {when}: {error}"
          when={<When at={failing.at} now={now} />}
          error={failing.error}
        />
      </div>
    );
  return (
    <div className="muted">
      {reached ? <Rich text="last page {when}" when={<When at={reached} now={now} />} /> : t('no page yet')}
      {proved && (
        <>
          {' · '}
          <Rich text="verified {when}" when={<When at={proved} now={now} />} />
        </>
      )}
      {methodOf(type).notices !== 'never' && !notices && events.length === 0 && ` · ${t('only pages')}`}
      {events.length > 0 && ` · ${t('events of {topics}', { topics: listed(events) })}`}
    </div>
  );
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}
