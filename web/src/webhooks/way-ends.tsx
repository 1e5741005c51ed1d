import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';

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
          {expired ? (
            <Rich
              text="It stopped working {when}; set a later end, or none, below."
              when={<When at={expires_at} now={now} />}
            />
          ) : (
            <Rich text="It works until {when}." when={<When at={expires_at} now={now} />} />
          )}
        </p>
      )}
      {former_urls.map(({ ends_at, last_used_at }) => (
        <p className="muted" key={ends_at}>
          <Rich
            text="{way, select, key {The old key} other {The old URL}} works until {end}; {used, select, yes {last called {last}.} other {nobody has called it since the change.}}"
            way={way}
            end={<When at={ends_at} now={now} />}
            used={last_used_at ? 'yes' : 'no'}
            last={last_used_at && <When at={last_used_at} now={now} />}
          />
        </p>
      ))}
    </>
  );
}
