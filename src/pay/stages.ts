/** The pay for being on call in each stage: `rates.stages` replaces `rates.on_call` from a stage on. */
import { type Interval, intersects, union } from '../kit/interval.ts';
import type { HourClass, Rates } from './contract.ts';
import { type Part, paidClasses } from './hours.ts';
import { rateOf } from './money.ts';

/** `fromStage` null: the rates of all stages that have none of their own. */
export type RatesOfStage = { fromStage: number | null; rates: Readonly<Record<HourClass, string>> };

/** When a person is on call by these rates, ascending and without overlaps. */
type StageTimes = RatesOfStage & { times: readonly Interval[] };

/** The rates of a set by stage, the general ones first, with the times of a person in these stages. */
export function stageTimes(
  { on_call, stages = [] }: Pick<Rates, 'on_call' | 'stages'>,
  served: readonly (Interval & { stage?: number | null })[],
): StageTimes[] {
  const general = { fromStage: null, rates: on_call };
  if (stages.length === 0) return [{ ...general, times: union(served) }];
  const sorted = stages.toSorted((a, b) => a.from_stage - b.from_stage);
  const of = ({ stage = null }: { stage?: number | null }) =>
    stage === null ? -1 : sorted.findLastIndex(({ from_stage }) => from_stage <= stage);
  const byEntry = Map.groupBy(served, of);
  const timesOf = (index: number) => union(byEntry.get(index) ?? []);
  return [
    { ...general, times: timesOf(-1) },
    ...sorted.map(({ from_stage: fromStage, on_call: rates }, index) => ({
      ...{ fromStage, rates, times: timesOf(index) },
    })),
  ];
}

/** Divides a time wherever the person begins or ends to be on call in a stage. */
export function cutByStage(span: Interval, stages: readonly StageTimes[]): Interval[] {
  if (stages.length < 2) return [span];
  const edges = stages.flatMap(({ times }) =>
    times.filter((time) => intersects(time, span)).flatMap(({ from, to }) => [from, to]),
  );
  const inside = edges.filter((at) => at > span.from && at < span.to);
  const points = [...new Set([span.from, ...inside, span.to])].sort((a, b) => a - b);
  return points.slice(1).map((to, index) => ({ from: points[index] ?? span.from, to }));
}

/** The rates for a part: of the person's stages at that time, the highest-paying, otherwise the lowest stage. */
export function dearest(
  part: Part,
  stages: readonly StageTimes[],
  { overlap }: Pick<Rates, 'overlap'>,
): RatesOfStage {
  const [first, ...others] = stages.filter(({ times }) =>
    times.some((time) => time.from <= part.from && part.to <= time.to),
  );
  if (!first) throw new Error('a person is paid only for times on call, which are in a stage');
  const pays = ({ rates }: RatesOfStage) =>
    paidClasses(part, rates, overlap).reduce((sum, name) => sum + rateOf(rates[name]), 0n);
  return others.reduce((best, one) => (pays(one) > pays(best) ? one : best), first);
}
