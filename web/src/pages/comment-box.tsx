import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { PageSummary } from '../../../src/pages/api-contract.ts';
import { useAct } from './use-act.ts';

/** A note for whoever looks at the page next. */
export function CommentBox({ page }: { page: PageSummary }) {
  const [text, setText] = useState('');
  const act = useAct(page.id);
  if (!page.may_act)
    return <p className="muted">You can read this page; its team, or an admin, can act on it.</p>;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (text.trim()) act.mutate({ name: 'comments', text }, { onSuccess: () => setText('') });
  };
  return (
    <form className="stack" onSubmit={send}>
      <Textarea
        aria-label="Comment"
        placeholder="What did you find?"
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
