import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { useFound } from './use-found.ts';

const [store, finder] = createSpotlight();

/** Finds views, people, teams, schedules, page sources, pages, moments and requests. `asked` counts how often it was opened. */
export function Finder({ asked }: { asked: number }) {
  const [query, setQuery] = useState('');
  const groups = useFound(query, asked > 0);
  useEffect(() => {
    if (asked > 0) finder.open();
  }, [asked]);
  return (
    <Spotlight
      store={store}
      shortcut={null}
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      nothingFound="Nothing of that name"
      highlightQuery
      limit={30}
      searchProps={{
        placeholder: 'Find a person, a team, a schedule, a page …',
        'aria-label': 'Find',
        onKeyDown: ({ key }) => key === 'Enter' && goToFirst(),
      }}
      attributes={{ content: { 'aria-label': 'Find' } }}
      scrollable
      maxHeight={420}
    />
  );
}

/** Enter opens the first result when none is selected. */
function goToFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (!list?.querySelector('[data-selected]')) list?.querySelector<HTMLElement>('[data-action]')?.click();
}
