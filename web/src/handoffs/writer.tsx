import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { handoffsApi, type NextHandoff } from '../../../src/handoffs/api-contract.ts';
import { send } from '../api/call.ts';
import { Markdown } from '../kit/markdown.tsx';
import { shortTime } from '../kit/time.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { useUnsaved } from '../kit/use-unsaved.ts';
import { t } from '../language/t.ts';
import { nextHandoffQuery } from './queries.ts';

/** The text for the next hand-off: a field for the people of the team, and the text for everybody else. */
export function Writer({ next, now }: { next: NextHandoff; now: Date }) {
  // The text and the revision from which editing began. A refresh never replaces text that somebody is writing.
  const [edited, setEdited] = useState<{ text: string; revision: number } | null>(null);
  useUnsaved(edited !== null);
  // What was saved here last. Somebody may go on writing before it is drawn.
  const own = useRef<NextHandoff | null>(null);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (body: { text: string; revision: number }) =>
      send(handoffsApi.write, { params: { id: next.schedule.id }, body }),
    onSuccess: (saved, sent) => {
      own.current = saved;
      client.setQueryData(nextHandoffQuery(next.schedule.id).queryKey, saved);
      // What was written while it was saved stays.
      setEdited((known) =>
        known === null || known === sent ? null : { text: known.text, revision: saved.revision },
      );
      showToast(t('Saved for the hand-off.'));
    },
    onError: showFailure,
  });
  const by = next.written_by && next.written_at && (
    <span className="muted">
      {t('{name}, {time}', { name: next.written_by.name, time: shortTime(next.written_at, now) })}
    </span>
  );
  if (!next.may_write)
    return next.text === '' ? (
      <p className="muted">{t('No comments yet.')}</p>
    ) : (
      <div className="card pad stack tight">
        <Markdown text={next.text} />
        {by}
      </div>
    );
  const text = edited?.text ?? next.text;
  const isOutdated = edited !== null && edited.revision !== next.revision;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (edited) save.mutate(edited);
      }}
    >
      <Textarea
        label={t('For the next people on call')}
        description={t('What they should know. It is sent to both sides at the hand-off. Markdown works.')}
        autosize
        minRows={4}
        maxLength={10_000}
        value={text}
        onChange={({ currentTarget: { value } }) =>
          setEdited((known) => ({
            text: value,
            revision: known?.revision ?? revisionOf(next, own.current),
          }))
        }
      />
      {isOutdated && (
        <div className="card pad stack tight" role="status">
          <span>
            {next.revision === 0
              ? t('The hand-off took place while you were writing.')
              : t('{name} changed the text while you were writing:', {
                  name: next.written_by?.name ?? t('Somebody'),
                })}
          </span>
          {next.text !== '' && <Markdown text={next.text} />}
          <div>
            <Button variant="default" onClick={() => setEdited({ text, revision: next.revision })}>
              {t('Overwrite with mine')}
            </Button>
          </div>
        </div>
      )}
      <div className="row wrap">
        <Button type="submit" disabled={edited === null || isOutdated} loading={save.isPending}>
          {t('Save')}
        </Button>
        {edited && (
          <Button variant="default" onClick={() => setEdited(null)}>
            {t('Discard')}
          </Button>
        )}
        {by}
      </div>
    </form>
  );
}

/** The newer one of the revision that is shown and the one that was saved here for the same hand-off. */
function revisionOf(next: NextHandoff, own: NextHandoff | null): number {
  return own?.at === next.at ? Math.max(own.revision, next.revision) : next.revision;
}
