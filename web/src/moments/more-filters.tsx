import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { MOMENT_TYPES, PRIORITIES } from '../../../src/moments/kinds-contract.ts';
import { peopleQuery } from '../api/queries.ts';
import { TimeFilterFields } from '../kit/time-filter-fields.tsx';
import { useSearchText } from '../kit/use-search-text.ts';
import { t } from '../language/t.ts';
import { sourcesQuery } from '../sources/queries.ts';
import { teamsQuery } from '../teams/queries.ts';
import { webhooksQuery } from '../webhooks/queries.ts';
import classes from './moment-filters.module.css';
import { countFilters, type MomentSearch, withoutTimes } from './search.ts';
import { PRIORITY_NAMES, TYPE_NAMES } from './words.ts';

export function MoreFilters({
  search,
  change,
}: {
  search: MomentSearch;
  change: (next: MomentSearch) => void;
}) {
  const teams = useQuery(teamsQuery).data?.teams ?? [];
  const webhooks = useQuery(webhooksQuery(null)).data?.webhooks ?? [];
  const sources = useQuery(sourcesQuery(null)).data?.sources ?? [];
  const people = useQuery(peopleQuery).data?.people ?? [];
  const set = (name: keyof MomentSearch, value: string | null) => {
    const { [name]: _, ...others } = search;
    change(value ? { ...others, [name]: value } : others);
  };
  return (
    <div className={classes.more}>
      <MultiSelect
        label={t('Type')}
        placeholder={search.type ? '' : t('Any')}
        data={MOMENT_TYPES.map((value) => ({ value, label: TYPE_NAMES[value] }))}
        value={search.type?.split(',') ?? []}
        onChange={(types) => set('type', types.join(','))}
      />
      <MultiSelect
        label={t('Priority')}
        placeholder={search.priority ? '' : t('Any')}
        data={PRIORITIES.map((value) => ({ value, label: PRIORITY_NAMES[value] })).toReversed()}
        value={search.priority?.split(',') ?? []}
        onChange={(priorities) => set('priority', priorities.join(','))}
      />
      <Select
        label={t('Team')}
        placeholder={t('Any')}
        clearable
        searchable
        data={teams.map(({ slug, name }) => ({ value: slug, label: name }))}
        value={search.team ?? null}
        onChange={(value) => set('team', value)}
      />
      <Select
        label={t('Webhook or page source')}
        placeholder={t('Any')}
        clearable
        searchable
        data={[...sources, ...webhooks].map(({ id, name, team }) => ({
          value: id,
          label: `${name} · ${team.name}`,
        }))}
        value={search.webhook ?? null}
        onChange={(value) => set('webhook', value)}
      />
      <Select
        label={t('Answered by')}
        placeholder={t('Any')}
        clearable
        searchable
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={search.person ?? null}
        onChange={(value) => set('person', value)}
      />
      <Source search={search} set={set} />
      <TimeFilterFields filter={search} change={(next) => change({ ...withoutTimes(search), ...next })} />
      {countFilters(search) > 0 && (
        <Button
          variant="default"
          className={classes.clear}
          onClick={() =>
            change({
              ...(search.text ? { text: search.text } : {}),
              ...(search.state ? { state: search.state } : {}),
            })
          }
        >
          {t('Clear')}
        </Button>
      )}
    </div>
  );
}

function Source({
  search,
  set,
}: {
  search: MomentSearch;
  set: (name: keyof MomentSearch, value: string | null) => void;
}) {
  const [source, type] = useSearchText(search.source ?? '', (text) => set('source', text.trim() && text));
  return (
    <TextInput
      label={t('Source')}
      placeholder={t('Its full name, such as Grafana')}
      maxLength={500}
      value={source}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
