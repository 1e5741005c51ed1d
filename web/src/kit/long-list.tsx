import { Button } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../language/t.ts';
import classes from './long-list.module.css';

/** The next part is loaded this many rows before the end. */
const AHEAD = 15;

/**
 * A virtualized list: only rows near the viewport are rendered, and more are loaded on scrolling. Rows may have any
 * height. `query` is the infinite query that reads them.
 */
export function LongList<Item extends { id: string }>({
  label,
  items,
  query,
  children,
}: {
  label: string;
  items: readonly Item[];
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchingNextPage' | 'fetchNextPage'>;
  children: (item: Item) => ReactNode;
}) {
  const { hasNextPage: more, isFetching, isFetchingNextPage: reading, fetchNextPage } = query;
  const readMore = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const place = list.current?.getBoundingClientRect().top ?? 0;
    setTop(place + window.scrollY);
  }, []);
  const lines = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => 64,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => items[index]?.id ?? index,
  });
  const shown = lines.getVirtualItems();
  const last = shown.at(-1)?.index ?? 0;
  // A change that is announced at this moment replaces the reading of the next part, which is then read after it.
  const wanted = more && !isFetching && last >= items.length - AHEAD;
  useEffect(() => {
    if (wanted) readMore();
  }, [wanted, readMore]);
  return (
    <div className="stack">
      <div className={`card ${classes.list}`} ref={list}>
        {/* biome-ignore lint/a11y/useSemanticElements: rows are positioned absolutely, in their own elements */}
        <div role="list" aria-label={label} style={{ height: lines.getTotalSize(), position: 'relative' }}>
          {shown.map(({ index, key, start }) => {
            const item = items[index];
            return (
              item && (
                // biome-ignore lint/a11y/useSemanticElements: as above
                <div
                  role="listitem"
                  key={key}
                  ref={lines.measureElement}
                  data-index={index}
                  className={classes.line}
                  style={{ transform: `translateY(${start - top}px)` }}
                >
                  {children(item)}
                </div>
              )
            );
          })}
        </div>
      </div>
      {more && (
        <Button variant="default" loading={reading} onClick={readMore}>
          {t('Older ones')}
        </Button>
      )}
    </div>
  );
}
