import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RecordShown } from '../../../src/availability/api-contract.ts';
import { Pill } from '../kit/pill.tsx';
import { repeatedWords } from '../kit/repeat-words.ts';
import { Empty, Failed } from '../kit/states.tsx';
import { showFailure } from '../kit/toast.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { KINDS } from './kinds.ts';
import { recordsQuery } from './queries.ts';
import { removeRecord } from './removing.ts';

/** How many days ahead the list reaches. */
const AHEAD_DAYS = 360;

/** Upcoming availability records of a person, soonest first. */
export function Coming({
  person,
  zone,
  now,
  onRecord,
}: {
  person: string | null;
  zone: Zone;
  now: number;
  onRecord: (record: RecordShown) => void;
}) {
  const from = zone.startOfDay(now);
  const span = { from, to: zone.addDays(from, AHEAD_DAYS) };
  const { data, error, refetch } = useQuery(recordsQuery(person, span));
  if (!data) return error && <Failed error={error} again={() => void refetch()} />;
  return (
    <section className="stack" aria-label={t('Coming up')}>
      <h2>{t('Coming up')}</h2>
      {data.records.length === 0 && (
        <Empty>{t('No entries yet. Drag over days in the calendar, or choose Add.')}</Empty>
      )}
      {data.records.length > 0 && (
        <div className="card lines">
          {nextOfEach(data.records).map((record) => (
            <Line key={record.id} {...{ record, zone, now, onRecord }} />
          ))}
        </div>
      )}
    </section>
  );
}

/** Records that repeat are one line, with their next time. */
function nextOfEach(records: readonly RecordShown[]): RecordShown[] {
  const shown = new Set<string>();
  return records.filter(({ repeats }) => {
    if (!repeats) return true;
    const isFirst = !shown.has(repeats.id);
    shown.add(repeats.id);
    return isFirst;
  });
}

function Line({
  record,
  zone,
  now,
  onRecord,
}: {
  record: RecordShown;
  zone: Zone;
  now: number;
  onRecord: (record: RecordShown) => void;
}) {
  const client = useQueryClient();
  const remove = useMutation({ mutationFn: () => removeRecord(client, record, 'all'), onError: showFailure });
  const { tone, short } = KINDS[record.type];
  return (
    <div className="line wrap">
      <Pill tone={tone}>{short}</Pill>
      <span className="grow">
        <b>{record.name || t('Without a label')}</b>{' '}
        <span className="muted">{lineWords(record, zone, now)}</span>
        {record.private && <span className="faint"> {t('private')}</span>}
        {record.source && <span className="faint"> {fromWords(record.source)}</span>}
      </span>
      {record.may_change && (
        <span className="row" style={{ gap: 8 }}>
          <Button
            variant="default"
            aria-label={t('Change {name}', { name: record.name || short })}
            onClick={() => onRecord(record)}
          >
            {t('Change')}
          </Button>
          <Button
            variant="default"
            aria-label={t('Remove {name}', { name: record.name || short })}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {t('Remove')}
          </Button>
        </span>
      )}
    </div>
  );
}

function lineWords(record: RecordShown, zone: Zone, now: number): string {
  const words = repeatedWords(record.repeats, zone, now);
  return words === null
    ? timesOf(record, zone, now)
    : t('{repeats}; next {day}', { repeats: words, day: zone.day(Date.parse(record.starts_at)) });
}

/** Where a record comes from. A private calendar of somebody else has no name. */
function fromWords({ name }: { name: string }): string {
  return name ? t('from the calendar {name}', { name }) : t('from a calendar');
}

/** Whole days as dates, anything else as times. */
export function timesOf(record: { starts_at: string; ends_at: string }, zone: Zone, now: number): string {
  const [from, to] = [Date.parse(record.starts_at), Date.parse(record.ends_at)];
  const whole = zone.startOfDay(from) === from && zone.startOfDay(to) === to;
  if (!whole) return `${zone.moment(from, now)} – ${zone.moment(to, now)}`;
  return zone.addDays(from, 1) === to ? zone.day(from) : `${zone.day(from)} – ${zone.day(to - 1)}`;
}
