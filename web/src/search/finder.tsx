import { t } from '../language/t.ts';
import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useEffect, useState } from 'react';
import { CommandDialog } from './command-dialogs.tsx';
import { type Asked, useCommands } from './commands.ts';
import classes from './finder.module.css';
import { useFound } from './use-found.ts';

const [store, finder] = createSpotlight();

/** Finds views, commands, people, teams, schedules, page sources, pages, moments and requests. `asked` counts how often it was opened. */
export function Finder({ asked }: { asked: number }) {
  const [query, setQuery] = useState('');
  const [doing, setDoing] = useState<{ asked: Asked; times: number } | null>(null);
  const commands = useCommands(asked > 0, (next) =>
    setDoing((before) => ({ asked: next, times: (before?.times ?? 0) + 1 })),
  );
  const groups = useFound(query, asked > 0, commands);
  useEffect(() => {
    if (asked > 0) finder.open();
  }, [asked]);
  return (
    <>
      <Spotlight
        store={store}
        shortcut={null}
        actions={groups}
        query={query}
        onQueryChange={setQuery}
        nothingFound={t('Nothing with that name')}
        highlightQuery
        limit={30}
        searchProps={{
          placeholder: t('Person, page, view or command …'),
          'aria-label': t('Find'),
          onKeyDown: ({ key }) => key === 'Enter' && goToFirst(),
        }}
        classNames={{
          action: classes.action ?? '',
          actionLabel: classes.label ?? '',
          actionDescription: classes.description ?? '',
        }}
        attributes={{ content: { 'aria-label': t('Find') } }}
        scrollable
        maxHeight={420}
      />
      {doing && <CommandDialog key={doing.times} asked={doing.asked} close={() => setDoing(null)} />}
    </>
  );
}

/** Enter opens the first result when none is selected. */
function goToFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (!list?.querySelector('[data-selected]')) list?.querySelector<HTMLElement>('[data-action]')?.click();
}
