import type { SavedOnCall } from '../../../src/schedules/api-contract.ts';
import type { OncallUser } from '../../../src/schedules/contract.ts';
import { shortRange, shortTime } from '../kit/time.ts';
import { t } from '../language/t.ts';
import classes from './saved.module.css';

type Schedule = SavedOnCall['schedules'][number];
type Oncall = Schedule['oncalls'][number];

/** Who is on call now in a schedule, how to reach them, and who follows. */
export function SavedScheduleCard({ schedule, now }: { schedule: Schedule; now: Date }) {
  const { name, team, oncalls, backstop } = schedule;
  const time = now.getTime();
  const current = oncalls
    .filter(({ start_time, end_time }) => Date.parse(start_time) <= time && time < Date.parse(end_time))
    .sort((a, b) => a.stage - b.stage);
  const later = oncalls.filter(({ start_time }) => Date.parse(start_time) > time);
  return (
    <article className="card pad stack" style={{ gap: 10 }}>
      <div>
        <h2>{name}</h2>
        {team !== name && <span className="muted">{team}</span>}
      </div>
      {current.length === 0 && <span className="ink-alarm">{t('Nobody is on call now.')}</span>}
      <ul className={classes.people}>
        {current.map((one) => (
          <li key={`${one.stage} ${one.start_time} ${one.user.email}`}>
            <b>{one.user.name}</b>{' '}
            <span className="muted">
              {t('stage {stage}, until {time}', { stage: one.stage, time: shortTime(one.end_time, now) })}
            </span>
            <Methods person={one.user} />
          </li>
        ))}
        {backstop && (
          <li>
            <b>{backstop.name}</b> <span className="muted">{t('backstop')}</span>
            <Methods person={backstop} />
          </li>
        )}
      </ul>
      {later.length > 0 && <Later oncalls={later} now={now} />}
    </article>
  );
}

function Methods({ person }: { person: OncallUser }) {
  const links = person.contact_methods.map(({ type, value }) => ({ type, value, href: hrefOf(type, value) }));
  const hasEmail = links.some(({ type }) => type === 'email');
  return (
    <div className={classes.methods}>
      {links.map(({ type, value, href }) =>
        href ? (
          <a key={`${type} ${value}`} className="link" href={href}>
            {value}
          </a>
        ) : (
          <span key={`${type} ${value}`}>
            {type} {value}
          </span>
        ),
      )}
      {!hasEmail && (
        <a className="link" href={`mailto:${person.email}`}>
          {person.email}
        </a>
      )}
    </div>
  );
}

function hrefOf(type: string, value: string): string | null {
  if (type === 'phone') return `tel:${value.replace(/[^+\d]/g, '')}`;
  return type === 'email' ? `mailto:${value}` : null;
}

function Later({ oncalls, now }: { oncalls: readonly Oncall[]; now: Date }) {
  return (
    <details className={classes.later}>
      <summary>
        {t('{count, plural, =1 {1 later shift} other {# later shifts}}', { count: oncalls.length })}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <ol tabIndex={0} aria-label={t('Later shifts')}>
        {oncalls.map((one) => (
          <li key={`${one.stage} ${one.start_time} ${one.user.email}`}>
            {shortRange(one.start_time, one.end_time, now)}{' '}
            <span className="muted">
              {t('stage {stage}, {name}', { stage: one.stage, name: one.user.name })}
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
