import { Button, SegmentedControl, TextInput } from '@mantine/core';
import { useRef, useState } from 'react';
import { useViewHotkeys } from '../alarm/use-view-hotkeys.ts';
import { useSearchText } from '../kit/use-search-text.ts';
import { t } from '../language/t.ts';
import classes from './moment-filters.module.css';
import { MoreFilters } from './more-filters.tsx';
import { countFilters, type MomentSearch, type Shown } from './search.ts';

const SHOWN: readonly { value: Shown; label: string }[] = [
  { value: 'unresolved', label: t('Unresolved') },
  { value: 'resolved', label: t('Resolved') },
  { value: 'all', label: t('All') },
];

type Filtering = { search: MomentSearch; change: (next: MomentSearch) => void };

/** Filters of the list. They are kept in the URL, so that it can be shared. */
export function MomentFilters({ search, change }: Filtering) {
  const filters = countFilters(search);
  const [opened, setOpened] = useState(filters > 0 && hasRoom());
  const { state: shown = 'unresolved' } = search;
  return (
    <search className="stack">
      <div className={classes.first}>
        <Words search={search} change={change} />
        <SegmentedControl
          aria-label={t('State')}
          value={shown}
          onChange={(value) => change(withState(search, value as Shown))}
          data={
            SHOWN.some(({ value }) => value === shown)
              ? [...SHOWN]
              : [...SHOWN, { value: shown, label: shown }]
          }
        />
        <Button variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {t('Filters')}
          {filters > 0 && ` (${filters})`}
        </Button>
      </div>
      {opened && <MoreFilters search={search} change={change} />}
    </search>
  );
}

/** On a phone, open filters would push the results off the screen. */
function hasRoom(): boolean {
  return matchMedia('(min-width: 761px)').matches;
}

function withState({ state: _, ...search }: MomentSearch, shown: Shown): MomentSearch {
  return shown === 'unresolved' ? search : { ...search, state: shown };
}

function Words({ search, change }: Filtering) {
  const input = useRef<HTMLInputElement>(null);
  const [text, type] = useSearchText(search.text ?? '', (words) => {
    const { text: _, ...others } = search;
    change(words.trim() ? { ...others, text: words } : others);
  });
  useViewHotkeys([['/', () => input.current?.focus()]]);
  return (
    <TextInput
      ref={input}
      className={classes.words}
      type="search"
      aria-label={t('Search moments')}
      placeholder={t('Name, source or description')}
      maxLength={500}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      rightSection={<span className="kbd">/</span>}
    />
  );
}
