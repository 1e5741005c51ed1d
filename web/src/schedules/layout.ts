import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';
import { byName, t } from '../language/t.ts';

type Person = NonNullable<TimelineShift['person']>;

/** One row of shifts: a seat of a stage, or a person. */
export type Lane = {
  key: string;
  label: string;
  /** A second, smaller line of the label, where the first is ambiguous. */
  below: string | null;
  /** The stage and seat of a shift that is created in this lane. */
  stage: number | null;
  seat: number | null;
  person: Person | null;
  shifts: TimelineShift[];
};

type Stage = { stage: number; seats: number; layers: readonly { name: string; seats: number }[] };

/** A lane for each seat of each stage, including stages without visible shifts. */
export function lanesByStage(stages: readonly Stage[], shifts: readonly TimelineShift[]): Lane[] {
  return stages.flatMap(({ stage, seats, layers }) => {
    const names = layers.flatMap(seatNames);
    const inSight = shifts.filter((shift) => shift.stage === stage).map(({ seat }) => seat);
    const most = Math.max(seats, names.length, ...inSight);
    return Array.from({ length: most }, (_, index) => {
      const seat = index + 1;
      return {
        key: `${stage}/${seat}`,
        ...labelOf(stage, most > 1 ? seat : null, names[index], stages.length > 1),
        ...{ stage, seat, person: null },
        shifts: shifts.filter((shift) => shift.stage === stage && shift.seat === seat),
      };
    });
  });
}

/** The seats of a stage are those of its layers, in order. */
function seatNames({ name, seats }: Stage['layers'][number]): string[] {
  return Array.from({ length: seats }, (_, index) => (seats > 1 ? `${name} · ${index + 1}` : name));
}

function labelOf(stage: number, seat: number | null, layer: string | undefined, several: boolean) {
  if (layer) return { label: layer, below: several ? t('stage {stage}', { stage }) : null };
  const name = t('Stage {stage}', { stage });
  return { label: seat === null ? name : `${name} · ${seat}`, below: null };
}

/** A lane for each person, and one for shifts without a person. */
export function lanesByPerson(people: readonly Person[], shifts: readonly TimelineShift[]): Lane[] {
  const known = new Map(people.map((person) => [person.id, person]));
  for (const { person } of shifts) if (person && !known.has(person.id)) known.set(person.id, person);
  const lanes = [...known.values()]
    .toSorted((a, b) => byName(a.name, b.name))
    .map((person) => ({
      ...{ key: person.id, label: person.name, below: null, stage: null, seat: null, person },
      shifts: shifts.filter((shift) => shift.person?.id === person.id),
    }));
  const gaps = shifts.filter(({ person }) => person === null);
  if (gaps.length === 0) return lanes;
  const nobody = { key: 'nobody', label: t('Nobody'), below: null, stage: null, seat: null, person: null };
  return [...lanes, { ...nobody, shifts: gaps }];
}

type Timed = { starts_at: string; ends_at: string };

/** Packs items into as few rows as possible: items of one row do not overlap and are in chronological order. */
export function packed<Item extends Timed>(items: readonly Item[]): Item[][] {
  const rows: Item[][] = [];
  for (const item of items.toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))) {
    const free = rows.find((row) => (row.at(-1)?.ends_at ?? '') <= item.starts_at);
    if (free) free.push(item);
    else rows.push([item]);
  }
  return rows;
}

/** Everybody in the shifts and stages of a schedule, without duplicates. */
export function peopleOf(
  stages: readonly { members: readonly Person[] }[],
  shifts: readonly TimelineShift[],
): Person[] {
  const all = [...stages.flatMap(({ members }) => members), ...shifts.flatMap(({ person }) => person ?? [])];
  return [...new Map(all.map((person) => [person.id, person])).values()];
}
