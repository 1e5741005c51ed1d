/**
 * Preloaded into a server (`node --import`): each SIGUSR2 sets its clock an hour ahead, then an hour behind, then right
 * again. Timers keep their pace, as when the system's clock is set.
 */
const STEPS_MS = [3_600_000, -3_600_000, 0];
const RealDate = Date;
const realInstant = Temporal.Now.instant.bind(Temporal.Now);
let step = 0;
let shiftMs = 0;

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    if (args.length === 0) super(RealDate.now() + shiftMs);
    else super(...(args as [number]));
  }

  static override now(): number {
    return RealDate.now() + shiftMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
Temporal.Now.instant = () => realInstant().add({ milliseconds: shiftMs });
process.on('SIGUSR2', () => {
  shiftMs = STEPS_MS[step++ % STEPS_MS.length] ?? 0;
});
