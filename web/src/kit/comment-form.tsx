import { Button, Textarea } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t, tIn } from '../language/t.ts';
import { useUnsaved } from './use-unsaved.ts';

/** A form for a comment. `send` calls `done` after success, which clears the field. */
export function CommentForm({
  placeholder,
  busy,
  send,
}: {
  placeholder: string;
  busy: boolean;
  send: (text: string, done: () => void) => void;
}) {
  const [text, setText] = useState('');
  useUnsaved(text !== '');
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    // What is written while it is sent stays.
    if (text.trim() && !busy) send(text, () => setText((now) => (now === text ? '' : now)));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Textarea
        aria-label={t('Comment')}
        placeholder={placeholder}
        autosize
        minRows={2}
        maxLength={10_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => (event.metaKey || event.ctrlKey) && event.key === 'Enter' && submit()}
      />
      <div>
        <Button type="submit" variant="default" disabled={!text.trim()} loading={busy}>
          {tIn('a button', 'Comment')}
        </Button>
      </div>
    </form>
  );
}
