import type {
  FairnessLine,
  LoadReport,
  ResponsesReport,
  WithheldLine,
  WithheldReport,
} from './api-contract.ts';
import { type Cell, csvText } from './csv.ts';

/** A column: its name and its value in a row. */
type Column<Line> = readonly [name: string, value: (line: Line) => Cell];

const FAIRNESS: readonly Column<FairnessLine>[] = [
  ['name', ({ person }) => person.name],
  ['email', ({ person }) => person.email],
  ['hours', ({ hours }) => hours],
  ['day_hours', ({ hours_by_kind: by }) => by.day],
  ['night_hours', ({ hours_by_kind: by }) => by.night],
  ['weekend_hours', ({ hours_by_kind: by }) => by.weekend],
  ['holiday_hours', ({ hours_by_kind: by }) => by.holiday],
  ['shifts', ({ shifts }) => shifts],
  ['nights', ({ nights }) => nights],
  ['weekends', ({ weekends }) => weekends],
  ['holidays', ({ holidays }) => holidays],
  ['burden', ({ burden }) => burden],
  ['share', ({ share }) => share],
  ['balance', ({ balance }) => balance],
  ['pages_low', ({ pages }) => pages.low],
  ['pages_medium', ({ pages }) => pages.medium],
  ['pages_high', ({ pages }) => pages.high],
  ['interrupted_hours', ({ interrupted_hours }) => interrupted_hours],
  ['sleep_hours_interrupted', ({ sleep_hours_interrupted }) => sleep_hours_interrupted],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['answered_after_seconds', ({ answered_after_seconds }) => answered_after_seconds],
  ['requests_granted', ({ requests }) => requests.granted],
  ['requests_refused', ({ requests }) => requests.refused],
  ['wishes_kept', ({ wishes }) => wishes.kept],
  ['wishes_broken', ({ wishes }) => wishes.broken],
  ['covers_taken', ({ covers }) => covers.taken],
  ['covers_given', ({ covers }) => covers.given],
  ['backstop', ({ backstop }) => backstop],
];

const RESPONSES: readonly Column<ResponsesReport['weeks'][number]>[] = [
  ['week', ({ week }) => week],
  ['pages_low', ({ pages }) => pages.low],
  ['pages_medium', ({ pages }) => pages.medium],
  ['pages_high', ({ pages }) => pages.high],
  ['acknowledged', ({ acknowledged }) => acknowledged],
  ['expired', ({ expired }) => expired],
  ['median_seconds', ({ median_seconds }) => median_seconds],
  ['p95_seconds', ({ p95_seconds }) => p95_seconds],
];

const LOAD: readonly Column<LoadReport['sources'][number]>[] = [
  ['source', ({ source }) => source],
  ['pages', ({ pages }) => pages],
  ['asked', ({ asked }) => asked],
  ['asleep', ({ asleep }) => asleep],
  ['last_at', ({ last_at }) => last_at],
];

const WITHHELD: readonly Column<WithheldLine>[] = [
  ['window', ({ window }) => window.name],
  ['window_id', ({ window }) => window.id],
  ['kind', ({ window }) => (window.silence ? 'silence' : 'window')],
  ['effect', ({ window }) => window.effect],
  ['team', ({ team }) => team.name],
  ['source', ({ source }) => source?.name ?? ''],
  ['owner', ({ owner }) => owner?.email ?? ''],
  ['occurrences', ({ occurrences }) => occurrences],
  ['alerts', ({ alerts }) => alerts],
  ['events', ({ events }) => events],
  ['first_at', ({ first_at }) => first_at],
  ['last_at', ({ last_at }) => last_at],
];

export const tableOfFairness = (people: readonly FairnessLine[]) => tableOf(FAIRNESS, people);
export const tableOfResponses = ({ weeks }: ResponsesReport) => tableOf(RESPONSES, weeks);
export const tableOfWithheld = ({ windows }: WithheldReport) => tableOf(WITHHELD, windows);
export const tableOfLoad = ({ sources }: LoadReport) => tableOf(LOAD, sources);

function tableOf<Line>(columns: readonly Column<Line>[], lines: readonly Line[]): string {
  return csvText(
    columns.map(([name]) => name),
    lines.map((line) => columns.map(([, value]) => value(line))),
  );
}
