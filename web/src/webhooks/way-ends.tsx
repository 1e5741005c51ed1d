import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { t } from '../language/t.ts';

/** When the URL or key of a webhook or page source ends, and until when its former ones work. */
export function WayEnds({
  of: { expires_at, expired, former_urls },
  way,
}: {
  of: {
    expires_at: string | null;
    expired: boolean;
    former_urls: { ends_at: string; last_used_at: string | null }[];
  };
  way: 'URL' | 'key';
}) {
  const now = useNow(60_000);
  return (
    <>
      {expires_at && (
        <p className={expired ? 'ink-watch' : 'muted'}>
          {expired ? t('It has not worked since ') : t('It works until ')}
          <When at={expires_at} now={now} />
          {expired ? t('; give it a later end, or none, below.') : '.'}
        </p>
      )}
      {former_urls.map(({ ends_at, last_used_at }) => (
        <p className="muted" key={ends_at}>
          A former {way} works until <When at={ends_at} now={now} />;{' '}
          {last_used_at ? (
            <>
              last called <When at={last_used_at} now={now} />.
            </>
          ) : (
            'nobody has called it since the change.'
          )}
        </p>
      ))}
    </>
  );
}
