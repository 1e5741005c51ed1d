import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { schedulesApi } from '../../../src/schedules/settings-contract.ts';
import { send } from '../api/call.ts';
import { inClock } from '../kit/time.ts';
import { zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';

const TYPING_MS = 300;

/** The next hand-offs that the current values of the form would give. */
export function NextHandoffs({ shifts, timeZone, now }: { shifts: unknown; timeZone: string; now: number }) {
  const [body] = useDebouncedValue(JSON.stringify({ shifts, time_zone: timeZone }), TYPING_MS);
  const { data, error } = useQuery({
    queryKey: ['schedules', 'forecast', body],
    queryFn: () => send(schedulesApi.forecast, { body: JSON.parse(body) }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const zone = zoneOf(timeZone);
  return (
    <section className="stack" aria-label={t('Next hand-offs')}>
      <h2>{t('Next hand-offs, in {zone}', { zone: zone.city })}</h2>
      <div className="card pad stack" style={{ gap: 6 }} aria-live="polite">
        {error && <span className="ink-alarm">{error.message}</span>}
        {!error && data && (
          <>
            <span className="muted">{inClock(data.text)}</span>
            <ol
              className="mono"
              style={{ margin: 0, padding: 0, listStyle: 'none', display: 'grid', gap: 4 }}
            >
              {data.handoffs.map((at, index) => (
                <li key={at} className={index === 0 ? 'faint' : ''}>
                  {index === 0 && Date.parse(at) <= now
                    ? t('{time}, under way', { time: zone.moment(Date.parse(at), now) })
                    : zone.moment(Date.parse(at), now)}
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </section>
  );
}
