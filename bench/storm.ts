/** `npm run bench -- storm`: the figures of moments, and of pages meanwhile. */
import { measureIdle, measureStorm, withBench } from './parts.ts';

/** Duration of each measurement in seconds. */
const SECONDS = Number(process.argv[2] ?? 8);

await withBench(async (bench) => {
  await measureIdle(bench, Math.min(300, 40 * SECONDS));
  await measureStorm(bench, Math.min(50_000, 6_250 * SECONDS));
});
