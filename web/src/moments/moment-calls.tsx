import { Link } from '@tanstack/react-router';
import type { MomentDetail } from '../../../src/moments/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { callStateName, NOTIFICATION_TONES } from '../received/words.ts';
import { integrationName } from '../webhooks/integration-names.ts';

/** The calls of the moment, newest first. */
export function MomentNotifications({ detail }: { detail: MomentDetail }) {
  const { notifications } = detail;
  const now = useNow(60_000);
  return (
    <section className="stack" aria-label={t('Where it came from')}>
      <h2>{t('Where it came from')}</h2>
      {notifications.length === 0 ? (
        <p className="muted">{t('The calls that created it were deleted when their retention ended.')}</p>
      ) : (
        <ul className="card lines" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {notifications.map(({ id, state, integration, received_at }) => (
            <li className="line" key={id}>
              <Link className="link grow" to="/notifications/$id" params={{ id }}>
                <Rich
                  text="{integration}, {when}"
                  integration={integrationName(integration)}
                  when={<When at={received_at} now={now} />}
                />
              </Link>
              <Pill tone={NOTIFICATION_TONES[state] ?? 'none'}>{callStateName(state)}</Pill>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
