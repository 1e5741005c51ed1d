import { Button, Checkbox } from '@mantine/core';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';
import { t } from '../language/t.ts';
import { MOST_SELECTED, rangeOf } from './selecting.ts';
import classes from './selection.module.css';

type Selection = {
  ids: ReadonlySet<string>;
  /** Whether any row is selected that the list still shows. */
  any: boolean;
  /** `extend`: everything from the row that was selected last up to this one. */
  toggle(id: string, extend?: boolean): void;
};

const Selected = createContext<Selection | null>(null);

/** The selected rows of the list around this; null where rows cannot be selected. */
export function useSelection(): Selection | null {
  return useContext(Selected);
}

/**
 * A list whose rows can be selected: by checkbox, as a range with Shift, with `X` on the row that has the
 * focus, and all that are shown. `words` name them; `bar` gives the actions on the selected ones, and
 * `keep` leaves only these selected.
 */
export function Selectable<Item extends { id: string }>({
  items,
  words,
  bar,
  children,
}: {
  items: readonly Item[];
  words: Words;
  bar: (selected: readonly Item[], keep: (ids: readonly string[]) => void) => ReactNode;
  children: ReactNode;
}) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [last, setLast] = useState<string | null>(null);
  const shown = items.map(({ id }) => id);
  // Rows that a filter or somebody's answer removed from the list are no longer selected.
  const selected = items.filter(({ id }) => ids.has(id));
  const keep = (next: readonly string[]) => setIds(new Set(next.slice(0, MOST_SELECTED)));
  const toggle = (id: string, extend = false) => {
    const before = selected.map((item) => item.id);
    setLast(id);
    if (ids.has(id)) return keep(before.filter((one) => one !== id));
    keep([...new Set([...before, ...(extend ? rangeOf(shown, last, id) : [id])])]);
  };
  useViewHotkeys([
    ['x', () => withFocus(shown, toggle)],
    ['Escape', () => keep([])],
  ]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are rendered again when the selection changes
  const selection = useMemo(() => ({ ids, any: selected.length > 0, toggle }), [ids, last, shown.join()]);
  const all = shown.slice(0, MOST_SELECTED);
  const isAll = selected.length > 0 && selected.length === all.length;
  return (
    <Selected value={selection}>
      <div className={classes.all}>
        <Checkbox
          label={allWords(isAll ? selected.length : 0, shown.length, words.all)}
          checked={isAll}
          indeterminate={selected.length > 0 && !isAll}
          onChange={() => keep(isAll ? [] : all)}
        />
      </div>
      {children}
      {selected.length > 0 && (
        <section className={classes.bar} aria-label={words.selected}>
          <b className={classes.count} role="status">
            {t('{count} selected', { count: selected.length })}
          </b>
          {bar(selected, keep)}
          <Button variant="subtle" color="gray" className={classes.clear} onClick={() => keep([])}>
            {t('Clear')}
            <span className="kbd" style={{ marginLeft: 8 }}>
              {t('Esc')}
            </span>
          </Button>
        </section>
      )}
    </Selected>
  );
}

/** The box of a row; nothing where rows cannot be selected. */
export function SelectRow({ id, name }: { id: string; name: string }) {
  const selection = useSelection();
  if (!selection) return null;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box in it has a name of its own
    <label className={classes.pick} data-select={id}>
      <Checkbox
        aria-label={t('Select {name}', { name })}
        checked={selection.ids.has(id)}
        // By keyboard, X selects the row whose link has the focus; a second stop in each row would be in the way.
        tabIndex={-1}
        // The browser reports a change of a box by a click.
        onChange={({ nativeEvent }) => selection.toggle(id, (nativeEvent as MouseEvent).shiftKey === true)}
      />
    </label>
  );
}

function withFocus(shown: readonly string[], act: (id: string) => void): void {
  const row = document.activeElement?.closest('article, li');
  const id = row?.querySelector<HTMLElement>('[data-select]')?.dataset.select;
  if (id && shown.includes(id)) act(id);
}

function allWords(selected: number, shown: number, all: Words['all']): string {
  if (shown > MOST_SELECTED) return t('Select the first {count}', { count: MOST_SELECTED });
  return selected > 0 ? t('All {count} shown here are selected', { count: shown }) : all(shown);
}

/** The name of the selected items, and of the box that selects all. */
type Words = { selected: string; all: (shown: number) => string };
