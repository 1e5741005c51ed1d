import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { HiddenSecret } from '../account/hidden-secret.tsx';
import { CopyField } from '../kit/copy.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';

/** The secret URL to paste into the tool. Anybody who knows it can make moments. */
export function WebhookUrl({
  webhook: { url, expires_at, expired, former_urls, secrets_hidden },
}: {
  webhook: WebhookDetail;
}) {
  const now = useNow(60_000);
  return (
    <section className="stack" aria-label="URL">
      <h2>URL</h2>
      {secrets_hidden && <HiddenSecret what="The URL" room="webhooks" />}
      {secrets_hidden ? null : url === null ? (
        <p className="muted">Its URL is shown to the team’s managers, admins and owners.</p>
      ) : (
        <>
          <CopyField text={url} what="the URL" />
          <p className="muted">
            Paste it into the tool. Anyone who has it can create moments: treat it like a password.
          </p>
        </>
      )}
      {expires_at && (
        <p className={expired ? 'ink-watch' : 'muted'}>
          {expired ? 'It has not worked since ' : 'It works until '}
          <When at={expires_at} now={now} />
          {expired ? '; give it a later end, or none, below.' : '.'}
        </p>
      )}
      {former_urls.map(({ ends_at, last_used_at }) => (
        <p className="muted" key={ends_at}>
          A former URL works until <When at={ends_at} now={now} />;{' '}
          {last_used_at ? (
            <>
              last called <When at={last_used_at} now={now} />.
            </>
          ) : (
            'nobody has called it since the change.'
          )}
        </p>
      ))}
    </section>
  );
}
