import type { MomentDetail, MomentSummary } from '../../../src/moments/api-contract.ts';
import { CommentForm } from '../kit/comment-form.tsx';
import { Markdown } from '../kit/markdown.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Rich } from '../language/rich.tsx';
import { t } from '../language/t.ts';
import { Avatar } from '../people/avatar.tsx';
import { useMomentAct } from './use-moment-act.ts';
import { acknowledger } from './words.ts';

type Said = MomentDetail['comments'][number];
type Reopened = MomentDetail['reopenings'][number];

/** Comments, the sender's acknowledgement and reopenings in chronological order, and a form for a new comment. */
export function MomentComments({ detail }: { detail: MomentDetail }) {
  const { moment, comments, reopenings } = detail;
  const now = useNow(60_000);
  const { acknowledged_at, acknowledged_comment } = moment;
  const lines = [
    ...(acknowledged_at && acknowledged_comment
      ? [{ at: acknowledged_at, line: <Acknowledgement key="acknowledgement" moment={moment} now={now} /> }]
      : []),
    ...comments.map((one) => ({
      at: one.at,
      line: <Comment key={`comment ${one.id}`} {...one} now={now} />,
    })),
    ...reopenings.map((one) => ({
      at: one.at,
      line: <Reopening key={`reopening ${one.id}`} {...one} now={now} />,
    })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <section className="stack" aria-label={t('Comments')}>
      <h2>{t('Comments')}</h2>
      {lines.length > 0 && <div className="card lines">{lines.map(({ line }) => line)}</div>}
      {moment.may_act ? (
        <NewComment momentId={moment.id} />
      ) : (
        <p className="muted">{t('You can read this moment. Only its team and admins can act on it.')}</p>
      )}
    </section>
  );
}

function Comment({ at, by, text, now }: Said & { now: Date }) {
  return (
    <article className="line" style={{ alignItems: 'flex-start' }}>
      {by && <Avatar person={by} />}
      <div className="grow stack tight">
        <span>
          <b>{by?.name ?? t('Somebody who left')}</b> <When at={at} now={now} className="faint" />
        </span>
        <Markdown text={text} />
      </div>
    </article>
  );
}

/** What a person wrote in the sending tool; plain text. */
function Acknowledgement({ moment, now }: { moment: MomentSummary; now: Date }) {
  const { acknowledged_at, acknowledged_comment } = moment;
  return (
    <article className="line">
      <div className="grow stack tight">
        <span>
          <Rich
            text="<b>{who}</b> acknowledged it {when}"
            b={(who) => <b>{who}</b>}
            who={acknowledger(moment)}
            when={acknowledged_at && <When at={acknowledged_at} now={now} className="faint" />}
          />
        </span>
        <span style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>{acknowledged_comment}</span>
      </div>
    </article>
  );
}

function Reopening({ at, by, resolved_at, resolved_by, now }: Reopened & { now: Date }) {
  return (
    <p className="line muted">
      <span>
        <Rich
          text="{who} reopened it {when}; {resolver} had resolved it {resolved}."
          who={by?.name ?? t('Somebody who left')}
          when={<When at={at} now={now} />}
          resolver={resolved_by?.name ?? t('its sender')}
          resolved={<When at={resolved_at} now={now} />}
        />
      </span>
    </p>
  );
}

function NewComment({ momentId }: { momentId: string }) {
  const act = useMomentAct(momentId);
  return (
    <CommentForm
      placeholder={t('What did you find? Markdown works.')}
      busy={act.isPending}
      send={(text, done) => act.mutate({ name: 'comments', text }, { onSuccess: done })}
    />
  );
}
