import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { schedulesApi } from '../../../src/schedules/settings-contract.ts';
import { send } from '../api/call.ts';
import { type Zone, zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { bodyOf, membersOf, type ScheduleForm } from './schedule-form-state.ts';

/** Planning takes longer than typing. */
const TYPING_MS = 1_000;
/** Shifts of each stage that are shown. */
const FEW = 6;

type Shift = Awaited<ReturnType<typeof send<typeof schedulesApi.firstShifts>>>['shifts'][number];

/** Who would be on call in the first weeks of a new schedule. */
export function FirstShifts({ value, now }: { value: ScheduleForm; now: number }) {
  const isReady = value.team !== null && membersOf(value).length > 0;
  // Empty until people are chosen.
  const [body] = useDebouncedValue(isReady ? JSON.stringify(bodyOf({ ...value, name: '' })) : '', TYPING_MS);
  const { data, error, isPlaceholderData } = useQuery({
    // Planning is expensive, so changes of other schedules do not repeat it.
    queryKey: ['first shifts', body],
    queryFn: () => send(schedulesApi.firstShifts, { body: JSON.parse(body) }),
    enabled: body !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const stages = Map.groupBy(data?.shifts ?? [], ({ stage }) => stage);
  const zone = zoneOf(value.timeZone);
  return (
    <section className="stack" aria-label={t('First weeks')} aria-busy={isPlaceholderData}>
      <h2>{t('First weeks')}</h2>
      <div className="card pad stack" style={{ gap: 12, opacity: isPlaceholderData ? 0.6 : 1 }}>
        {!isReady && (
          <span className="muted">{t('Choose who takes turns to see who would be on call.')}</span>
        )}
        {isReady && (error || data?.refused) && (
          <span className="muted">{t('Complete the form to see who would be on call.')}</span>
        )}
        {isReady &&
          !error &&
          [...stages].map(([stage, shifts]) => (
            <div key={stage}>
              <div className="muted">{t('Stage {stage}', { stage })}</div>
              <ol style={{ margin: 0, padding: 0, listStyle: 'none', display: 'grid', gap: 4 }}>
                {shifts.slice(0, FEW).map((shift) => (
                  <Line key={`${shift.starts_at} ${shift.seat}`} shift={shift} zone={zone} now={now} />
                ))}
              </ol>
            </div>
          ))}
      </div>
    </section>
  );
}

function Line({ shift: { starts_at, person }, zone, now }: { shift: Shift; zone: Zone; now: number }) {
  return (
    <li className="row" style={{ gap: 12 }}>
      <span className="mono faint" style={{ minWidth: '18ch' }}>
        {zone.moment(Date.parse(starts_at), now)}
      </span>
      {person ? <span>{person.name}</span> : <span className="ink-alarm">{t('nobody')}</span>}
    </li>
  );
}
