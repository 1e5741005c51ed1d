import { Link } from '@tanstack/react-router';
import type { CallShown } from '../../../src/webhooks/call-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';
import classes from '../moments/moment-row.module.css';
import { integrationName } from '../webhooks/integration-names.ts';
import { callStateName, NOTIFICATION_TONES, outcomeWords, sizeWords } from './words.ts';

export function ReceivedRow({ notification }: { notification: CallShown }) {
  const now = useNow(60_000);
  const { id, state, webhook, integration, received_at } = notification;
  return (
    <article className={`opens ${classes.row}`}>
      <span className={classes.state}>
        <Pill tone={NOTIFICATION_TONES[state] ?? 'none'} dot>
          {callStateName(state)}
        </Pill>
      </span>
      <div className="grow">
        <Link className={classes.name} data-row to="/notifications/$id" params={{ id }} preload={false}>
          {webhook.name}
        </Link>{' '}
        <span className="muted">
          {integrationName(integration)} · {webhook.team_name}
        </span>
        <div className="muted">{whatCame(notification)}</div>
      </div>
      <When at={received_at} now={now} className={`faint ${classes.time}`} />
    </article>
  );
}

function whatCame({ state, reason, moments, bytes, pages, page_count }: CallShown): string {
  if (reason) return reason;
  if (state === 'queued') return t('{size}, to be read at once', { size: sizeWords(bytes) });
  const [first] = pages;
  if (!first)
    return t('{size}, {count, plural, one {# moment} other {# moments}}', {
      size: sizeWords(bytes),
      count: moments,
    });
  const what = outcomeWords(first.action, first.page?.title ?? '');
  return page_count > 1 ? t('{what} and {count} more', { what, count: page_count - 1 }) : what;
}
