import { Button, Menu, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { urlOf } from '../../../src/kit/endpoint-contract.ts';
import { reportsApi } from '../../../src/reports/api-contract.ts';
import { reportRange, type Span } from '../../../src/reports/span-contract.ts';
import { useLater } from '../kit/later.tsx';
import type { Zone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { teamsQuery } from '../teams/queries.ts';
import classes from './reports.module.css';
import { PERIODS, type PeriodName, type ReportSearch } from './search.ts';

type Controls = {
  search: ReportSearch;
  look: (change: ReportSearch) => void;
  span: Span;
  zone: Zone;
  team: string | null;
};

const TABLES = [
  [reportsApi.fairnessTable, t('Load and fairness per person')],
  [reportsApi.responsesTable, t('Pages and answers per week')],
  [reportsApi.loadTable, t('Noisiest sources')],
  [reportsApi.withheldTable, t('Kept from paging by windows')],
] as const;

/** Chooses the period and the team, and downloads or prints the report. */
export function ReportControls({ search, look, span, zone, team }: Controls) {
  const { period = '4w' } = search;
  const choose = (next: PeriodName) => {
    // Custom dates begin with the period that is shown.
    if (next === 'dates') look({ period: next, from: zone.date(span.from), to: zone.date(span.to - 1) });
    else look({ period: next === '4w' ? undefined : next, from: undefined, to: undefined });
  };
  return (
    <div className={`row wrap ${classes.controls}`}>
      <SegmentedControl
        aria-label={t('Which time')}
        value={period}
        onChange={(next) => choose(next as PeriodName)}
        data={Object.entries(PERIODS).map(([value, label]) => ({ value, label }))}
      />
      {period === 'dates' && (
        <>
          <DateInput label={t('From')} value={zone.date(span.from)} set={(from) => look({ from })} />
          <DateInput label={t('To')} value={zone.date(span.to - 1)} set={(to) => look({ to })} />
        </>
      )}
      <TeamChoice {...{ team, look }} />
      <span className="row" style={{ marginLeft: 'auto' }}>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default">{t('CSV')}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {TABLES.map(([table, label]) => (
              <Menu.Item
                key={label}
                component="a"
                href={urlOf(table, { query: { ...reportRange(span, team), bom: true } })}
                download
              >
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        <Button variant="default" onClick={() => window.print()}>
          {t('Print')}
        </Button>
      </span>
    </div>
  );
}

function TeamChoice({ team, look }: Pick<Controls, 'team' | 'look'>) {
  const teams = useQuery(teamsQuery).data?.teams ?? [];
  const later = useLater();
  return (
    <Select
      aria-label={t('Which team')}
      placeholder={t('All teams')}
      data={teams.map(({ slug, name }) => ({ value: slug, label: name }))}
      comboboxProps={{ keepMounted: later }}
      value={team}
      onChange={(slug) => look({ team: slug ?? undefined })}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('All teams') }}
      w={210}
    />
  );
}

/** The first year that is typed in full: `2026` is first reported as 0002, 0020 and 0202. */
const WHOLE_YEAR = '1000';

function DateInput({ label, value, set }: { label: string; value: string; set: (date: string) => void }) {
  // A period that is shown may be shorter than the dates say, which must not change them while they are typed.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      type="date"
      aria-label={label}
      value={typed ?? value}
      required
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text);
        if (text >= WHOLE_YEAR) set(text);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
