import type { TimelineShift } from '../../../src/schedules/timeline-contract.ts';

type Person = NonNullable<TimelineShift['person']>;

/** One line of shifts: a seat of a stage, or a person. */
export type Lane = {
  key: string;
  label: string;
  /** Smaller, below it: what the label alone would leave open. */
  below: string | null;
  /** What a new shift in it would be of. */
  stage: number | null;
  seat: number | null;
  person: Person | null;
  shifts: TimelineShift[];
};

type Stage = { stage: number; seats: number; layers: readonly { name: string; seats: number }[] };

/** A lane for each seat of each stage; stages that have no shift in sight included. */
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

/** The seats of a stage are those of its layers, one layer after the other. */
function seatNames({ name, seats }: Stage['layers'][number]): string[] {
  return Array.from({ length: seats }, (_, index) => (seats > 1 ? `${name} · ${index + 1}` : name));
}

function labelOf(stage: number, seat: number | null, layer: string | undefined, several: boolean) {
  if (layer) return { label: layer, below: several ? `stage ${stage}` : null };
  return { label: seat === null ? `Stage ${stage}` : `Stage ${stage} · ${seat}`, below: null };
}

/** A lane for each person, and one for what nobody has. */
export function lanesByPerson(people: readonly Person[], shifts: readonly TimelineShift[]): Lane[] {
  const known = new Map(people.map((person) => [person.id, person]));
  for (const { person } of shifts) if (person && !known.has(person.id)) known.set(person.id, person);
  const lanes = [...known.values()]
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map((person) => ({
      ...{ key: person.id, label: person.name, below: null, stage: null, seat: null, person },
      shifts: shifts.filter((shift) => shift.person?.id === person.id),
    }));
  const gaps = shifts.filter(({ person }) => person === null);
  if (gaps.length === 0) return lanes;
  const nobody = { key: 'nobody', label: 'Nobody', below: null, stage: null, seat: null, person: null };
  return [...lanes, { ...nobody, shifts: gaps }];
}

type Timed = { starts_at: string; ends_at: string };

/** Puts what overlaps below each other: each list holds what fits side by side, in the order of time. */
export function packed<Item extends Timed>(items: readonly Item[]): Item[][] {
  const rows: Item[][] = [];
  for (const item of items.toSorted((a, b) => a.starts_at.localeCompare(b.starts_at))) {
    const free = rows.find((row) => (row.at(-1)?.ends_at ?? '') <= item.starts_at);
    if (free) free.push(item);
    else rows.push([item]);
  }
  return rows;
}

/** Everybody whom the shifts and stages of a schedule speak of, each once. */
export function peopleOf(
  stages: readonly { members: readonly Person[] }[],
  shifts: readonly TimelineShift[],
): Person[] {
  const all = [...stages.flatMap(({ members }) => members), ...shifts.flatMap(({ person }) => person ?? [])];
  return [...new Map(all.map((person) => [person.id, person])).values()];
}
