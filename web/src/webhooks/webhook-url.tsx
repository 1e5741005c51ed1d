import type { WebhookDetail } from '../../../src/webhooks/api-contract.ts';
import { HiddenSecret } from '../account/hidden-secret.tsx';
import { CopyField } from '../kit/copy.tsx';
import { t } from '../language/t.ts';
import { WayEnds } from './way-ends.tsx';

/** The secret URL to paste into the tool. Anybody who knows it can make moments. */
export function WebhookUrl({ webhook }: { webhook: WebhookDetail }) {
  const { url, secrets_hidden } = webhook;
  return (
    <section className="stack" aria-label={t('URL')}>
      <h2>{t('URL')}</h2>
      {secrets_hidden && <HiddenSecret what={t('The URL')} room="webhooks" />}
      {secrets_hidden ? null : url === null ? (
        <p className="muted">{t('Its URL is shown only to the team’s managers, admins and owners.')}</p>
      ) : (
        <>
          <CopyField text={url} name={t('Copy the URL')} />
          <p className="muted">
            {t('Paste it into the tool. Anyone who has it can create moments: treat it like a password.')}
          </p>
        </>
      )}
      <WayEnds of={webhook} way="URL" />
    </section>
  );
}
