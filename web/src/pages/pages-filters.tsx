import { Button, Chip, Select, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { onCallQuery, peopleQuery } from '../api/queries.ts';
import { useLater } from '../kit/later.tsx';
import { TimeFilterFields } from '../kit/time-filter-fields.tsx';
import { useSearchText } from '../kit/use-search-text.ts';
import { t } from '../language/t.ts';
import { sourcesQuery } from '../sources/queries.ts';
import classes from './pages-filters.module.css';
import type { PagesSearch } from './pages-search.ts';

const STATES = [
  { value: 'open', label: t('Open') },
  { value: 'all', label: t('All') },
  { value: 'notifying', label: t('Notifying') },
  { value: 'acknowledged', label: t('Acknowledged') },
  { value: 'resolved', label: t('Resolved') },
  { value: 'expired', label: t('Expired') },
  { value: 'refused', label: t('Refused') },
];
const URGENCIES = [
  { value: 'high', label: t('High urgency') },
  { value: 'medium', label: t('Medium urgency') },
  { value: 'low', label: t('Low urgency') },
];

/** Filters besides the text and the state. A phone shows them when they are opened. */
const MORE = ['urgency', 'team', 'source', 'person', 'within', 'from', 'to', 'mine', 'key'] as const;

/** The filters of the list of pages. */
export function PagesFilters({
  search,
  change,
}: {
  search: PagesSearch;
  change: (next: PagesSearch) => void;
}) {
  const teams = useQuery(onCallQuery).data?.teams ?? [];
  const people = useQuery(peopleQuery).data?.people ?? [];
  const { show, urgency, team, mine } = search;
  const [text, type] = useSearchText(search.text ?? '', (value) => change(said({ ...search, text: value })));
  const [opened, setOpened] = useState(false);
  const later = useLater();
  // As in the styles.
  const folded = useMediaQuery('(max-width: 760px)', undefined, { getInitialValueInEffect: false });
  const chosen = MORE.filter((name) => search[name]).length;
  return (
    <search className={classes.filters}>
      <TextInput
        aria-label={t('Search pages')}
        placeholder={t('Search title and text')}
        type="search"
        maxLength={200}
        value={text}
        onChange={(event) => type(event.currentTarget.value)}
        className={classes.text}
      />
      <Select
        aria-label={t('State')}
        className={classes.state}
        data={STATES}
        // A closed list marks its choice for the keyboard only when its options are in the document.
        comboboxProps={{ keepMounted: later }}
        allowDeselect={false}
        value={show ?? 'open'}
        onChange={(value) => change(said({ ...search, show: value === 'open' ? undefined : value }))}
      />
      <Button
        className={classes.toggle}
        variant="default"
        aria-expanded={opened}
        onClick={() => setOpened(!opened)}
      >
        {t('Filters')}
        {chosen > 0 && ` (${chosen})`}
      </Button>
      <div className={classes.more} data-opened={opened || undefined}>
        {(opened || !folded) && (
          <>
            <Select
              aria-label={t('Urgency')}
              style={{ flex: '0 1 160px', minWidth: 150 }}
              placeholder={t('Any urgency')}
              clearable
              data={URGENCIES}
              value={urgency ?? null}
              onChange={(value) => change(said({ ...search, urgency: value }))}
            />
            <Select
              aria-label={t('Team')}
              style={{ flex: '0 1 170px', minWidth: 140 }}
              placeholder={t('Any team')}
              clearable
              searchable
              data={teams.map(({ id, name }) => ({ value: id, label: name }))}
              value={team ?? null}
              onChange={(value) => change(said({ ...search, team: value }))}
            />
            <SourceFilter search={search} change={change} />
            <Select
              aria-label={t('Person')}
              style={{ flex: '0 1 170px', minWidth: 140 }}
              placeholder={t('Any responder')}
              clearable
              searchable
              data={people.map(({ id, name }) => ({ value: id, label: name }))}
              value={search.person ?? null}
              onChange={(value) => change(said({ ...search, person: value }))}
            />
            <TimeFilterFields
              bare
              filter={search}
              change={(times) => change(said({ ...search, within: null, from: null, to: null, ...times }))}
            />
            <Chip
              checked={mine === true}
              onChange={(on) => change(said({ ...search, mine: on || undefined }))}
            >
              {t('Notified me')}
            </Chip>
            {search.key && (
              <Chip checked onChange={() => change(said({ ...search, key: undefined }))}>
                {t('One dedup key')}
              </Chip>
            )}
          </>
        )}
      </div>
    </search>
  );
}

/** Only for organizations that have page sources. */
function SourceFilter({ search, change }: { search: PagesSearch; change: (next: PagesSearch) => void }) {
  const sources = useQuery(sourcesQuery(null)).data?.sources ?? [];
  if (sources.length === 0 && !search.source) return null;
  return (
    <Select
      aria-label={t('Source')}
      style={{ flex: '0 1 170px', minWidth: 140 }}
      placeholder={t('Any source')}
      clearable
      searchable
      data={sources.map(({ id, name }) => ({ value: id, label: name }))}
      value={search.source ?? null}
      onChange={(value) => change(said({ ...search, source: value }))}
    />
  );
}

/** Removes empty values, which keeps the URL short. */
function said(search: Record<string, unknown>): PagesSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value)) as PagesSearch;
}
