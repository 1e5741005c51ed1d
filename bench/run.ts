/** `npm run bench`: figures of this machine, each compared with the bare driver in the same run. */
import { measureIdle, measurePages, measureStorm, withBench } from './parts.ts';

/** Duration of each measurement in seconds. `npm test` runs a short form, which only shows that the benchmarks work. */
const SECONDS = Number(process.argv[2] ?? 8);

await withBench(async (bench) => {
  await measureIdle(bench, Math.min(300, 40 * SECONDS));
  await measureStorm(bench, Math.min(50_000, 6_250 * SECONDS));
  await measurePages(bench, SECONDS);
});
