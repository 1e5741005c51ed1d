import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { MomentDetail } from '../../../src/moments/api-contract.ts';
import { Markdown } from '../kit/markdown.tsx';
import { useNow } from '../kit/use-now.ts';
import { When } from '../kit/when.tsx';
import { Avatar } from '../people/avatar.tsx';
import { useMomentAct } from './use-moment-act.ts';

/** What people noted about it, and a place for the next note. */
export function MomentComments({ detail }: { detail: MomentDetail }) {
  const { moment, comments } = detail;
  const now = useNow(60_000);
  return (
    <section className="stack" aria-label="Comments">
      <h2>Comments</h2>
      {comments.length > 0 && (
        <div className="card lines">
          {comments.map(({ id, at, by, text }) => (
            <article className="line" key={id} style={{ alignItems: 'flex-start' }}>
              {by && <Avatar person={by} />}
              <div className="grow stack tight">
                <span>
                  <b>{by?.name ?? 'Somebody who left'}</b> <When at={at} now={now} className="faint" />
                </span>
                <Markdown text={text} />
              </div>
            </article>
          ))}
        </div>
      )}
      {moment.may_act ? (
        <CommentForm momentId={moment.id} />
      ) : (
        <p className="muted">You can read this moment; its team, or an admin, can act on it.</p>
      )}
    </section>
  );
}

function CommentForm({ momentId }: { momentId: string }) {
  const [text, setText] = useState('');
  const act = useMomentAct(momentId);
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim()) act.mutate({ name: 'comments', text }, { onSuccess: () => setText('') });
  };
  return (
    <form className="stack" onSubmit={send}>
      <Textarea
        aria-label="Comment"
        placeholder="What did you find? Markdown works."
        autosize
        minRows={2}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => (event.metaKey || event.ctrlKey) && event.key === 'Enter' && send()}
      />
      <div>
        <Button type="submit" variant="default" disabled={!text.trim()} loading={act.isPending}>
          Comment
        </Button>
      </div>
    </form>
  );
}
