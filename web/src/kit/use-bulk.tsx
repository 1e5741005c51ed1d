import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../language/t.ts';
import { actOnEach, type BulkResult } from './bulk.ts';
import { showToast } from './toast.ts';
import { showUndoFor } from './undo.tsx';

type Answer = { changed: boolean; message: string };
type Named = { id: string; name: string };

/** The message about several items after a bulk action, for those that succeeded and for those that failed. */
export type BulkWords = { done: (count: number) => string; failed: (count: number) => string };

/** A bulk action. `undo.ms`: how long the service takes each of them back. */
export type Bulk<Item> = {
  items: readonly Item[];
  words: BulkWords;
  act: (item: Item) => Promise<Answer>;
  undo?: { act: (item: Item) => Promise<Answer>; ms: number };
  /** The ids of those that could not be done, which stay selected. */
  keep: (ids: readonly string[]) => void;
};

/**
 * Acts on several items, one request each, and says how many were done, with an undo for all of them. A dialog,
 * `report`, names those that were not done and the reasons. `undone` says the same of those that were undone.
 */
export function useBulk<Item extends Named>({
  undone,
  refresh,
}: {
  undone: BulkWords;
  refresh: () => Promise<unknown>;
}): { run: (bulk: Bulk<Item>, done?: () => void) => void; busy: boolean; report: ReactNode } {
  const [failed, setFailed] = useState<{ words: BulkWords; all: BulkResult<Item>['failed'] } | null>(null);
  const tell = (words: BulkWords, all: BulkResult<Item>['failed']) => {
    if (all.length > 0) setFailed({ words, all });
  };
  const undoing = (done: Item[], act: (item: Item) => Promise<Answer>) => async () => {
    const result = await actOnEach(done, act);
    if (result.done.length > 0) showToast(undone.done(result.done.length));
    tell(undone, result.failed);
    await refresh();
  };
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ items, act }: Bulk<Item>) => ({
      began: Date.now(),
      ...(await actOnEach(items, act)),
    }),
    onSuccess: async ({ began, done, failed: all }, { words, undo, keep }) => {
      const left = undo ? undo.ms - (Date.now() - began) : 0;
      const said = words.done(done.length);
      if (done.length > 0 && undo && left > 0) showUndoFor(left, said, undoing(done, undo.act));
      else if (done.length > 0) showToast(said);
      tell(words, all);
      keep(all.map(({ item }) => item.id));
      await refresh();
    },
  });
  return {
    run: (bulk, done) => mutate(bulk, { onSettled: () => done?.() }),
    busy: isPending,
    report: failed && (
      <Modal opened onClose={() => setFailed(null)} title={failed.words.failed(failed.all.length)}>
        <div className="stack" style={{ gap: 16 }}>
          <ul className="stack" style={{ margin: 0, paddingLeft: 18, overflowWrap: 'anywhere' }}>
            {failed.all.map(({ item, why }) => (
              <li key={item.id}>
                <span className="strong">{item.name}</span>
                <br />
                <span className="muted">{why}</span>
              </li>
            ))}
          </ul>
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={() => setFailed(null)} data-autofocus>
              {t('Close')}
            </Button>
          </div>
        </div>
      </Modal>
    ),
  };
}

/** The first items of a bulk action, each with its important facts, and the number of further items. */
export function NamesOfItems({ items }: { items: readonly { id: string; name: string; about?: string }[] }) {
  const shown = items.slice(0, MOST_NAMED);
  return (
    <>
      <ul style={{ margin: 0, paddingLeft: 18, overflowWrap: 'anywhere' }} className="stack tight">
        {shown.map(({ id, name, about }) => (
          <li key={id}>
            <span className="strong">{name}</span>
            {about && <> {about}</>}
          </li>
        ))}
      </ul>
      {items.length > shown.length && <p>{t('And {count} more.', { count: items.length - shown.length })}</p>}
    </>
  );
}

/** More names do not fit on a phone. */
const MOST_NAMED = 8;
