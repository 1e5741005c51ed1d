import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PageDetail, PageOfKey, PageSummary } from '../../../src/pages/api-contract.ts';
import { Copy } from '../kit/copy.tsx';
import { duration, fullTime } from '../kit/time.ts';
import { When } from '../kit/when.tsx';
import { commas, t } from '../language/t.ts';
import { momentStateName } from '../moments/words.ts';
import classes from './page-head.module.css';
import { actorWords, stateName } from './words.ts';

/** From this many pages of a dedup key in 24 hours on, it is called flapping. */
const FLAPPING = 3;

/** The facts of a page: where it came from, whose it is, who has it, how long it is open, and its other pages and moments. */
export function PageHead({ detail, now }: { detail: PageDetail; now: Date }) {
  const { page, related } = detail;
  const { source, team, person, dedup_key, raised_by } = page;
  const answer = answerOf(page);
  const { previous, later, pages_in_a_day: inADay, moments, handoffs } = related;
  return (
    <dl className={classes.facts}>
      <Fact name={source ? t('Source') : t('Raised by')}>
        {source ? (
          <Link className="link" to="/sources/$id" params={{ id: source.id }}>
            {source.name}
          </Link>
        ) : (
          (raised_by?.name ?? t('somebody who left'))
        )}
      </Fact>
      {page.drill && (
        <Fact name={t('Drill')}>{t('Nothing is broken, and reports leave this page out.')}</Fact>
      )}
      <Fact name={team ? t('Team') : t('Person')}>
        {team ? (
          <Link className="link" to="/teams/$slug" params={{ slug: team.slug }}>
            {team.name}
          </Link>
        ) : (
          (person?.name ?? t('somebody'))
        )}
      </Fact>
      <Fact name={openUntil(page) === null ? t('Open for') : t('Was open for')}>
        <time
          dateTime={page.created_at}
          title={t('Since {time}', { time: fullTime(page.created_at) })}
          className="tabular"
        >
          {duration((openUntil(page) ?? now.getTime()) - Date.parse(page.created_at))}
        </time>
      </Fact>
      {answer && (
        <Fact name={answer.what}>
          {answer.who}
          <span className="muted">
            {' · '}
            <When at={answer.at} now={now} />
          </span>
        </Fact>
      )}
      {dedup_key !== null && (
        <Fact name={t('Dedup key')}>
          <span className="row" style={{ gap: 6 }}>
            <code className={`mono ${classes.key}`} title={dedup_key}>
              {dedup_key}
            </code>
            <Copy text={dedup_key} name={t('Copy the dedup key')} small />
          </span>
        </Fact>
      )}
      {previous && (
        <Fact name={t('Page before')}>
          <Other page={previous} now={now} />
        </Fact>
      )}
      {(previous || later) && (
        <Fact name={t('Same dedup key')}>
          <Link className="link" to="/pages" search={{ show: 'all', key: page.id }}>
            {inADay > 1 ? t('{count} pages in 24 h', { count: inADay }) : t('All its pages')}
          </Link>
          {inADay >= FLAPPING && <span className="ink-watch"> {t('· flapping')}</span>}
        </Fact>
      )}
      {later && (
        <Fact name={t('Came back')}>
          <Other page={later} now={now} />
        </Fact>
      )}
      {moments.length > 0 && (
        <Fact name={moments.length === 1 ? t('Moment') : t('Moments')}>
          {moments.map((moment, index) => (
            <span key={moment.id}>
              {index > 0 && commas(['', ''])}
              <Link className="link" to="/moments/$id" params={{ id: moment.id }}>
                {moment.name}
              </Link>
              <span className="muted"> · {momentStateName(moment.state)}</span>
            </span>
          ))}
        </Fact>
      )}
      {handoffs.length > 0 && (
        <Fact name={handoffs.length === 1 ? t('Hand-off') : t('Hand-offs')}>
          {handoffs.map(({ schedule, note }, index) => (
            <span key={schedule.id}>
              {index > 0 && ', '}
              <HandoffLink schedule={schedule} note={note} />
              <span className="muted">
                {' · '}
                {note ? <When at={note.at} now={now} /> : t('next')}
              </span>
            </span>
          ))}
        </Fact>
      )}
    </dl>
  );
}

/** The note of the hand-off that lists the page: of one that took place, or of the next one, which can still be written. */
function HandoffLink({ schedule, note }: PageDetail['related']['handoffs'][number]) {
  if (!note)
    return (
      <Link className="link" to="/schedules/$id/handoff" params={{ id: schedule.id }}>
        {schedule.name}
      </Link>
    );
  return (
    <Link className="link" to="/schedules/$id/handoff/$note" params={{ id: schedule.id, note: note.id }}>
      {schedule.name}
    </Link>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Other({ page, now }: { page: PageOfKey; now: Date }) {
  return (
    <>
      <Link className="link" to="/pages/$id" params={{ id: page.id }}>
        <When at={page.created_at} now={now} />
      </Link>
      <span className="muted"> · {stateName(page.state)}</span>
    </>
  );
}

/** Who resolved the page, or acknowledged it. */
function answerOf(page: PageSummary): { what: string; who: string; at: string } | null {
  const resolved = page.state === 'resolved';
  const at = resolved ? page.resolved_at : page.state === 'acknowledged' ? page.acknowledged_at : null;
  if (at === null) return null;
  const who = resolved
    ? actorWords(page.resolved_by, page.resolved_by_source)
    : actorWords(page.acknowledged_by, page.acknowledged_by_source);
  return { what: resolved ? t('Resolved by') : t('Acknowledged by'), who: who ?? t('somebody'), at };
}

/** When the page was resolved or expired, in epoch milliseconds; null while it is open. */
function openUntil({ state, resolved_at, expired_at }: PageSummary): number | null {
  const at = state === 'resolved' ? resolved_at : state === 'expired' ? expired_at : null;
  return at === null ? null : Date.parse(at);
}
