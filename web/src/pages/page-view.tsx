import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { PageDetail, PageSummary } from '../../../src/pages/api-contract.ts';
import { pageQuery } from '../api/queries.ts';
import { Copy } from '../kit/copy.tsx';
import classes from '../kit/detail.module.css';
import { Markdown } from '../kit/markdown.tsx';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { SourceLink } from '../kit/source-link.tsx';
import { fullTime, shortTime, zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ViewHead } from '../kit/view-head.tsx';
import { t } from '../language/t.ts';
import { CommentBox } from './comment-box.tsx';
import { PageActions } from './page-actions.tsx';
import { PageHead } from './page-head.tsx';
import { Proof, Reached } from './reached.tsx';
import { Reminder } from './reminder.tsx';
import timeline from './timeline.module.css';
import { Timeline } from './timeline.tsx';
import { pageUrl, timelineJson } from './timeline-json.ts';
import { timelineMarkdown } from './timeline-markdown.ts';
import { stateName, stateTone, URGENCY_TONES, urgencyName } from './words.ts';

/** One page: its text, its timeline, and the proof of its deliveries. */
export function PageView() {
  const { id } = useParams({ from: '/pages/$id' });
  const { data, error, refetch } = useQuery(pageQuery(id));
  if (data) return <Page detail={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such page in your organization.')}
      to="/pages"
      back={t('All pages')}
    />
  );
}

function Page({ detail }: { detail: PageDetail }) {
  const { page } = detail;
  const now = useNow(30_000);
  return (
    <div className="view">
      <ViewHead
        crumb={
          <Link to="/pages" className="crumb">
            {t('Pages /')}
          </Link>
        }
        name={page.title}
        states={
          <>
            <Pill tone={stateTone(page)} dot>
              {stateName(page.state)}
            </Pill>
            <Pill tone={URGENCY_TONES[page.urgency]}>{urgencyName(page.urgency)}</Pill>
          </>
        }
      >
        <PageActions page={page} />
      </ViewHead>
      <PageHead detail={detail} now={now} />
      <Reminder page={page} />
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 20 }}>
          <Again page={page} />
          <div className="card pad">
            <Markdown text={page.text} />
            {page.source_url && <SourceLink url={page.source_url} />}
          </div>
          <section className="stack" aria-label={t('Timeline')}>
            <div className="row wrap" style={{ rowGap: 8 }}>
              <h2>{t('Timeline')}</h2>
              <span className="faint" title={fullTime(page.created_at)}>
                {t('{time}, times in {zone}', { time: shortTime(page.created_at, now), zone: zoneName() })}
              </span>
              <span className={`row ${timeline.copies}`}>
                <span className="muted">{t('Copy as')}</span>
                <Copy
                  text={timelineMarkdown(detail, pageUrl(page.id))}
                  name={t('Copy the timeline as Markdown')}
                  label={t('Markdown')}
                  small
                />
                <Copy
                  text={timelineJson(detail, pageUrl(page.id))}
                  name={t('Copy the timeline as JSON')}
                  label={t('JSON')}
                  small
                />
              </span>
            </div>
            <Timeline detail={detail} />
          </section>
          <CommentBox page={page} />
        </div>
        <aside className="stack" style={{ gap: 20 }}>
          <Reached detail={detail} />
          <Proof detail={detail} />
        </aside>
      </div>
    </div>
  );
}

/** Links between an unanswered page and the pages that repeat it. */
function Again({ page: { unanswered, again_of, paged_again } }: { page: PageSummary }) {
  if (!unanswered && !again_of && !paged_again) return null;
  return (
    <div className="card pad stack">
      {unanswered && (
        <p className="ink-alarm">
          {t(
            'Nobody answered this page. It stays under Now until somebody pages again or marks it as handled.',
          )}
        </p>
      )}
      {paged_again && (
        <p>
          <Link to="/pages/$id" params={{ id: paged_again.id }} className="link">
            {t('It was paged again')}
          </Link>
          <span className="muted"> · {stateName(paged_again.state)}</span>
        </p>
      )}
      {again_of && (
        <p>
          <Link to="/pages/$id" params={{ id: again_of }} className="link">
            {t('Nobody answered the previous page')}
          </Link>
          <span className="muted"> {t('· this one repeats it')}</span>
        </p>
      )}
    </div>
  );
}
