import type { TimelineRecord } from '../../../src/schedules/timeline-contract.ts';
import { repeatedWords } from '../kit/repeat-words.ts';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { initials } from '../people/avatar.tsx';
import { Fitting } from './fitting.tsx';
import { packed } from './layout.ts';
import type { Span } from './queries.ts';
import classes from './timeline.module.css';
import { between } from './track.tsx';

const WORDS = {
  hard_unavailable: t('away'),
  soft_unavailable: t('would rather not'),
  requested: t('asks to be on call'),
} as const;

/** Availability records on the timeline: who cannot be on call, prefers not to be, or wants to be. */
export function AwayRows({
  records,
  span,
  zone,
  now,
}: {
  records: readonly TimelineRecord[];
  span: Span;
  zone: Zone;
  now: number;
}) {
  if (records.length === 0) return null;
  return (
    <div className={classes.lane}>
      <span className={classes.label}>{t('Availability')}</span>
      <div className={classes.awayRows}>
        {packed(records).map((row) => (
          <ul
            key={row[0]?.id}
            className={classes.awayRow}
            style={{ listStyle: 'none', margin: 0, padding: 0 }}
          >
            {row.map((record) => (
              <li
                key={record.id}
                className={classes.away}
                data-type={record.type}
                style={between(span, record.starts_at, record.ends_at)}
                title={titleOf(record, zone, now)}
              >
                <Fitting full={wordsOf(record)} short={initials(record.person.name)} length="sentence" />
              </li>
            ))}
          </ul>
        ))}
      </div>
    </div>
  );
}

function titleOf(record: TimelineRecord, zone: Zone, now: number): string {
  const repeated = repeatedWords(record.repeats, zone, now);
  return repeated === null ? wordsOf(record) : `${wordsOf(record)}: ${repeated}`;
}

function wordsOf({ person, type, name }: TimelineRecord): string {
  const first = person.name.split(/\s+/)[0];
  return name
    ? `${first} · ${name}${type === 'hard_unavailable' ? '' : ` (${WORDS[type]})`}`
    : t('{name} {what}', { name: first ?? person.name, what: WORDS[type] });
}
