import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type {
  FairnessReport,
  LoadReport,
  ResponsesReport,
  WithheldReport,
} from '../../../src/reports/api-contract.ts';
import type { Span } from '../../../src/reports/span-contract.ts';
import { sessionQuery } from '../api/queries.ts';
import { Later } from '../kit/later.tsx';
import { Empty, Failed, Loading } from '../kit/states.tsx';
import { useNow } from '../kit/use-now.ts';
import { ListHead } from '../kit/view-head.tsx';
import { viewerZone, type Zone, zoneOf } from '../kit/zones.ts';
import { t } from '../language/t.ts';
import { Heat } from './heat.tsx';
import { LoadTable } from './load-table.tsx';
import { PeopleTable } from './people-table.tsx';
import { spanOf } from './period.ts';
import { fairnessQuery, loadQuery, responsesQuery, type Shown, withheldQuery } from './queries.ts';
import { ReportControls } from './report-controls.tsx';
import classes from './reports.module.css';
import type { ReportSearch } from './search.ts';
import { Sources } from './sources.tsx';
import { Summary } from './summary.tsx';
import { WeekCharts } from './week-charts.tsx';
import { Withheld } from './withheld.tsx';

/** Reports about the load of being on call and the answers to pages; also made for printing. */
export function ReportsView() {
  const search = useSearch({ from: '/reports' });
  const navigate = useNavigate({ from: '/reports' });
  const session = useQuery(sessionQuery).data;
  const zone = session ? zoneOf(session.organization.time_zone) : viewerZone();
  const now = useNow(60_000);
  const span = spanOf(search, zone, now.getTime());
  const team = search.team ?? null;
  const fairness = useQuery(fairnessQuery(span, team));
  const responses = useQuery(responsesQuery(span, team));
  const load = useQuery(loadQuery(span, team));
  const withheld = useQuery(withheldQuery(span, team));
  const failed = [fairness, responses, load, withheld].find(({ error, data }) => error && !data);
  const look = (change: ReportSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true, resetScroll: false });
  return (
    <div className={`view ${classes.report}`}>
      <header className="stack">
        <ListHead
          name={t('Reports')}
          about={periodWords(span, zone, team && (fairness.data?.team?.name ?? team))}
        />
        <ReportControls {...{ search, look, span, zone, team }} />
      </header>
      {failed?.error ? (
        <Failed error={failed.error} again={() => void failed.refetch()} />
      ) : fairness.data && responses.data && load.data && withheld.data ? (
        <Report
          {...{ now }}
          fairness={fairness.data}
          responses={responses.data}
          load={load.data}
          withheld={withheld.data}
          marked={search.person ?? null}
        />
      ) : (
        <Loading rows={5} />
      )}
    </div>
  );
}

type Reports = {
  fairness: Shown<FairnessReport>;
  responses: Shown<ResponsesReport>;
  load: Shown<LoadReport>;
  withheld: Shown<WithheldReport>;
  now: Date;
  marked: string | null;
};

function Report({ fairness, responses, load, withheld, now, marked }: Reports) {
  const { low, medium, high } = responses.total.pages;
  const hasPages = low + medium + high > 0 || load.sources.length > 0;
  if (!hasPages && withheld.windows.length === 0 && fairness.people.every(({ hours }) => hours === 0))
    return (
      <Empty
        action={
          <Link className="link" to="/schedules">
            {t('Schedules')}
          </Link>
        }
      >
        {t(
          'Nobody was on call in this time, and no page was raised. Choose another time, or plan a schedule.',
        )}
      </Empty>
    );
  return (
    <>
      {hasPages && <Summary {...{ fairness, responses, load }} />}
      {hasPages && <WeekCharts weeks={responses.weeks} />}
      <Later>
        <LoadTable people={fairness.people} spread={fairness.spread} marked={marked} />
        <Later>
          {hasPages && <Heat {...load} />}
          <Later>
            {hasPages && <PeopleTable people={fairness.people} marked={marked} />}
            <Sources sources={load.sources} now={now} />
            <Withheld report={withheld} now={now} />
          </Later>
        </Later>
      </Later>
    </>
  );
}

function periodWords(span: Span, zone: Zone, team: string | null): string {
  return t('{days}, {zone} time, {whose}', {
    days: zone.days(span.from, span.to - 1),
    zone: zone.city,
    whose: team ?? t('everybody'),
  });
}
