import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { MomentDetail } from '../../../src/moments/api-contract.ts';
import classes from '../kit/detail.module.css';
import { Markdown } from '../kit/markdown.tsx';
import { NotShown } from '../kit/not-shown.tsx';
import { Pill } from '../kit/pill.tsx';
import { SourceLink } from '../kit/source-link.tsx';
import { zoneName } from '../kit/time.ts';
import { useNow } from '../kit/use-now.ts';
import { ViewHead } from '../kit/view-head.tsx';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { LinkedPages } from './linked-pages.tsx';
import { MomentActions } from './moment-actions.tsx';
import { MomentNotifications } from './moment-calls.tsx';
import { MomentComments } from './moment-comments.tsx';
import { momentDetailQuery } from './queries.ts';
import { doneWords, MOMENT_TONES, momentStateName, momentWords } from './words.ts';

/** One moment: its text, its history, and its calls. */
export function MomentView() {
  const { id } = useParams({ from: '/moments/$id' });
  const { data, error, refetch } = useQuery(momentDetailQuery(id));
  if (data) return <Moment detail={data} />;
  return (
    <NotShown
      error={error}
      again={refetch}
      missing={t('There is no such moment in your organization.')}
      to="/moments"
      back={t('All moments')}
    />
  );
}

function Moment({ detail }: { detail: MomentDetail }) {
  const { moment } = detail;
  const now = useNow(30_000);
  return (
    <div className="view">
      <ViewHead
        crumb={
          <Link to="/moments" className="crumb">
            {t('Moments /')}
          </Link>
        }
        name={moment.name}
        states={
          <Pill tone={MOMENT_TONES[moment.state]} dot>
            {momentStateName(moment.state)}
          </Pill>
        }
        about={
          <>
            {momentWords(moment)} · <When at={moment.occurred_at} now={now} /> {zoneName()}
          </>
        }
      >
        <MomentActions detail={detail} />
      </ViewHead>
      <div className={classes.columns}>
        <div className="stack" style={{ gap: 20 }}>
          <div className="card pad stack" style={{ gap: 10 }}>
            {moment.description ? (
              <Markdown text={moment.description} />
            ) : (
              <p className="muted">{t('The sender gave no description.')}</p>
            )}
            {moment.source_url && <SourceLink url={moment.source_url} />}
          </div>
          {doneWords(moment, now) && <p className="muted">{doneWords(moment, now)}</p>}
          {detail.newer && (
            <p className="muted">
              <Rich
                text="Reported again since: <link>{moment}</link>, {when}, {state}."
                link={(name) => (
                  <Link className="link" to="/moments/$id" params={{ id: detail.newer?.id ?? '' }}>
                    {name}
                  </Link>
                )}
                moment={detail.newer.name}
                when={<When at={detail.newer.created_at} now={now} />}
                state={momentStateName(detail.newer.state)}
              />
            </p>
          )}
          <MomentComments detail={detail} />
        </div>
        <aside className="stack" style={{ gap: 20 }}>
          <LinkedPages detail={detail} />
          <MomentNotifications detail={detail} />
        </aside>
      </div>
    </div>
  );
}
