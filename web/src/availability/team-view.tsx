import { Button, Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { sessionQuery } from '../api/queries.ts';
import { Empty, Unread } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { viewerZone } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { teamsQuery } from '../teams/queries.ts';
import { Heat } from './heat.tsx';
import { KINDS } from './kinds.ts';
import { teamRecordsQuery } from './queries.ts';
import type { TeamSearch } from './search.ts';
import { AvailabilityTabs } from './tabs.tsx';

const DAYS = 28;

/** Absences of a team's members, and how many of them are available each day. */
export function TeamAvailabilityView() {
  const search = useSearch({ from: '/availability/team' });
  const navigate = useNavigate({ from: '/availability/team' });
  const session = useQuery(sessionQuery).data;
  const teams = useQuery(teamsQuery).data?.teams;
  const now = useNow(60_000).getTime();
  const zone = viewerZone();
  const from = zone.startOfWeek(zone.ofDate(search.at) ?? now);
  const span = { from, to: zone.addDays(from, DAYS) };
  const team = search.team ?? session?.teams[0]?.slug ?? teams?.[0]?.slug ?? '';
  const { data, error, refetch } = useQuery(teamRecordsQuery(team, span));
  const look = (change: TeamSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  const step = (days: number) => look({ at: zone.date(zone.addDays(from, days)) });
  return (
    <div className="view">
      <header className="stack">
        <ListHead name={t('Availability')} about={t('days in {zone} time', { zone: zone.city })} />
        <AvailabilityTabs />
      </header>
      {teams?.length === 0 ? (
        <Empty>{t('You have no team yet.')}</Empty>
      ) : (
        <div className="row wrap">
          <Button
            variant="default"
            onClick={() => look({ at: undefined })}
            disabled={span.from <= now && now < span.to}
          >
            {t('Today')}
          </Button>
          <Button.Group>
            <Button variant="default" onClick={() => step(-DAYS)} aria-label={t('Earlier')}>
              ‹
            </Button>
            <Button variant="default" onClick={() => step(DAYS)} aria-label={t('Later')}>
              ›
            </Button>
          </Button.Group>
          <b aria-live="polite">
            {zone.shortDay(span.from)} – {zone.shortDay(span.to - 1)}
          </b>
          <span className="grow" />
          <Select
            aria-label={t('Which team')}
            data={(teams ?? []).map(({ slug, name }) => ({ value: slug, label: name }))}
            value={team}
            onChange={(slug) => slug && look({ team: slug })}
            searchable
            allowDeselect={false}
          />
        </div>
      )}
      {!data && team !== '' && <Unread error={error} again={refetch} rows={4} />}
      {data && data.people.length === 0 && <Empty>{t('Nobody is in this team yet.')}</Empty>}
      {data && data.people.length > 0 && (
        <>
          <Heat list={data} span={span} zone={zone} now={now} />
          <p className="muted">
            {Object.values(KINDS)
              .map(({ sign, short }) => `${sign} ${short}`)
              .join(' · ')}
          </p>
        </>
      )}
    </div>
  );
}
