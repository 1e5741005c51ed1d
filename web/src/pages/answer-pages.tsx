import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type PageSummary, pagesApi } from '../../../src/pages/api-contract.ts';
import { bringBack } from '../alarm/alarms.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { type BulkWords, NamesOfItems, useBulk } from '../kit/use-bulk.tsx';
import { t } from '../language/t.ts';
import { isOwn, recipientOf } from './own-page.ts';
import { actOn, type Reassign, UNDO_MS } from './use-act.ts';

export type Answer = 'acknowledge' | 'resolve';
export type NamedPage = PageSummary & { name: string };

const WORDS: Record<Answer, { button: string; next: string; said: BulkWords }> = {
  acknowledge: {
    button: t('Acknowledge'),
    next: t('You take care of them, and nobody else is notified.'),
    said: {
      done: (count) =>
        t('{count, plural, =1 {1 page acknowledged.} other {# pages acknowledged.}}', { count }),
      failed: (count) =>
        t(
          '{count, plural, =1 {1 page could not be acknowledged} other {# pages could not be acknowledged}}',
          { count },
        ),
    },
  },
  resolve: {
    button: t('Resolve'),
    next: t('They end for the whole team.'),
    said: {
      done: (count) => t('{count, plural, =1 {1 page resolved.} other {# pages resolved.}}', { count }),
      failed: (count) =>
        t('{count, plural, =1 {1 page could not be resolved} other {# pages could not be resolved}}', {
          count,
        }),
    },
  },
};

const REASSIGNED: BulkWords = {
  done: (count) => t('{count, plural, =1 {1 page reassigned.} other {# pages reassigned.}}', { count }),
  failed: (count) =>
    t('{count, plural, =1 {1 page could not be reassigned} other {# pages could not be reassigned}}', {
      count,
    }),
};

const UNDONE: BulkWords = {
  done: (count) => t('{count, plural, =1 {Undone for 1 page.} other {Undone for # pages.}}', { count }),
  failed: (count) =>
    t('{count, plural, =1 {1 page could not be undone} other {# pages could not be undone}}', { count }),
};

export const withName = (page: PageSummary): NamedPage => ({ ...page, name: page.title });

/** Acts on several pages; answers can be undone for as long as that of a single page. */
export function useAnswerAll() {
  const client = useQueryClient();
  const bulk = useBulk<NamedPage>({
    undone: UNDONE,
    refresh: () => client.invalidateQueries({ queryKey: ['pages'] }),
  });
  const undo = async ({ id }: NamedPage) => {
    const answer = await send(pagesApi.undo, { params: { id } });
    bringBack(id);
    return answer;
  };
  const answer = (
    action: { name: Answer } | Reassign,
    items: readonly NamedPage[],
    keep: (ids: readonly string[]) => void,
    done?: () => void,
  ) =>
    bulk.run(
      {
        items,
        keep,
        act: ({ id }) => actOn(id, action),
        ...(action.name === 'reassign'
          ? { words: REASSIGNED }
          : { words: WORDS[action.name].said, undo: { act: undo, ms: UNDO_MS } }),
      },
      done,
    );
  return { answer, bulk };
}

/** Asks before pages are answered together: names those of others and whose they are, or all when all are the viewer's. */
export function AnswerQuestion({
  what,
  pages,
  busy,
  close,
  act,
}: {
  what: Answer;
  pages: readonly NamedPage[];
  busy: boolean;
  close: () => void;
  act: () => void;
}) {
  const me = useQuery(sessionQuery).data?.user.id;
  const { button, next } = WORDS[what];
  const others = pages.filter((page) => !isOwn(page, me));
  return (
    <ConfirmDialog
      title={questionOf(what, pages.length, others.length === pages.length)}
      keep={pages.length === 1 ? t('Leave it') : t('Leave them')}
      go={button}
      busy={busy}
      close={close}
      act={act}
    >
      <div className="stack">
        {pages.length > 1 && (
          <p>
            {others.length > 0 && `${othersCount(others.length, pages.length)} `}
            {next}
          </p>
        )}
        <NamesOfItems
          items={
            others.length > 0
              ? others.map((page) => ({
                  ...page,
                  about: t('to {recipient}', { recipient: recipientOf(page) }),
                }))
              : pages
          }
        />
      </div>
    </ConfirmDialog>
  );
}

function questionOf(what: Answer, count: number, ofOthers: boolean): string {
  if (what === 'acknowledge')
    return ofOthers
      ? t(
          '{count, plural, =1 {Acknowledge somebody else’s page?} other {Acknowledge {count} pages of other people?}}',
          { count },
        )
      : t('{count, plural, =1 {Acknowledge this page?} other {Acknowledge {count} pages?}}', { count });
  return ofOthers
    ? t(
        '{count, plural, =1 {Resolve somebody else’s page?} other {Resolve {count} pages of other people?}}',
        {
          count,
        },
      )
    : t('{count, plural, =1 {Resolve this page?} other {Resolve {count} pages?}}', { count });
}

function othersCount(others: number, all: number): string {
  if (others === all) return t('None of them was sent to you.');
  return others === 1
    ? t('One of them was not sent to you.')
    : t('{count} of them were not sent to you.', { count: others });
}

/** Asks about these pages and answers them; shows which of them could not be answered. */
export function AnswerPages({
  what,
  pages,
  close,
}: {
  what: Answer;
  pages: readonly PageSummary[];
  close: () => void;
}) {
  const [asking, setAsking] = useState(true);
  const { answer, bulk } = useAnswerAll();
  const named = pages.map(withName);
  return (
    <>
      {asking && (
        <AnswerQuestion
          what={what}
          pages={named}
          busy={bulk.busy}
          close={close}
          act={() =>
            answer(
              { name: what },
              named,
              () => undefined,
              () => setAsking(false),
            )
          }
        />
      )}
      {bulk.report}
    </>
  );
}
