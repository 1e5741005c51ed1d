import { isAwayFor } from './absences.ts';
import { areNear, type Because, overlap, type PlanInput, type StageInput, type Stint } from './planner.ts';

/** A shift that somebody has. */
export type Duty = Stint & { stage: number };

/** Who has which shifts, while a plan is being made; answers whether somebody can take one more. */
export class Duties {
  readonly #byUser = new Map<string, { sorted: Duty[]; longest: number }>();
  readonly #records: PlanInput['records'];
  readonly #restMs: number;
  readonly #smallAbsenceMs: number;

  constructor(input: Pick<PlanInput, 'records' | 'restMs' | 'smallAbsenceMs'>) {
    this.#records = input.records;
    this.#smallAbsenceMs = input.smallAbsenceMs ?? 0;
    this.#restMs = input.restMs;
  }

  add(userId: string, duty: Duty): void {
    const known = this.#byUser.get(userId) ?? { sorted: [], longest: 0 };
    known.sorted.splice(indexFrom(known.sorted, duty.from), 0, duty);
    known.longest = Math.max(known.longest, duty.to - duty.from);
    this.#byUser.set(userId, known);
  }

  /** All duties of somebody, by their start. */
  of(userId: string): readonly Duty[] {
    return this.#byUser.get(userId)?.sorted ?? [];
  }

  /** Why somebody cannot take a shift of a stage; null when they can. */
  refusal(userId: string, stage: StageInput, shift: Stint): Because | null {
    const simultaneous = this.absence(userId, stage, shift);
    if (simultaneous) return simultaneous;
    return this.#near(userId, shift, this.#restMs).some(
      (duty) => !isStanding(stage, duty) && !isSameBlock(duty, stage, shift),
    )
      ? 'rest'
      : null;
  }

  /** The same without the rest between shifts: what keeps somebody from being there at all. */
  absence(userId: string, stage: StageInput, shift: Stint): Because | null {
    const simultaneous = this.#near(userId, shift, 0).filter((duty) => overlap(duty, shift));
    if (simultaneous.some((duty) => duty.stage === stage.stage)) return 'seated';
    if (isAwayFor(this.#records.get(userId) ?? [], shift, this.#smallAbsenceMs)) return 'unavailable';
    return simultaneous.length > 0 ? 'busy' : null;
  }

  /** Whether a record of this type touches the shift. */
  covers(userId: string, type: 'soft_unavailable' | 'requested', shift: Stint): boolean {
    return (this.#records.get(userId) ?? []).some((record) => record.type === type && overlap(record, shift));
  }

  /** Whether somebody has the shift right before or after in the same stage. */
  isNextTo(userId: string, stage: number, shift: Stint): boolean {
    return this.#near(userId, shift, 1).some((duty) => duty.stage === stage);
  }

  /** Duties less than `marginMs` away from a span, those that touch it included. */
  #near(userId: string, span: Stint, marginMs: number): Duty[] {
    const known = this.#byUser.get(userId);
    if (!known) return [];
    const wide = { from: span.from - marginMs, to: span.to + marginMs };
    const near: Duty[] = [];
    for (let index = indexFrom(known.sorted, wide.from - known.longest); ; index++) {
      const duty = known.sorted[index];
      if (!duty || duty.from >= wide.to) return near;
      if (areNear(duty, span, marginMs)) near.push(duty);
    }
  }
}

/** Who has nobody to alternate with is on duty all the time: rest between two shifts of that stage is not asked for. */
function isStanding(stage: StageInput, duty: Duty): boolean {
  return duty.stage === stage.stage && stage.members.length <= stage.seats;
}

/** Somebody may have several pieces of one shift, also in a row. */
function isSameBlock(duty: Duty, { stage }: StageInput, shift: Stint): boolean {
  return (
    duty.pieceOf !== undefined &&
    duty.pieceOf === shift.pieceOf &&
    duty.stage === stage &&
    !overlap(duty, shift)
  );
}

/** The first duty that begins at `from` or later. */
function indexFrom(sorted: readonly Duty[], from: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle]?.from ?? 0) < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
