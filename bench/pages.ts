/** `npm run bench -- pages`: the figures of pages alone, without a storm of moments. */
import { measureIdle, measurePages, warmUp, withBench } from './parts.ts';

/** Duration of each measurement in seconds. */
const SECONDS = Number(process.argv[2] ?? 8);

await withBench(async (bench) => {
  await warmUp(bench, SECONDS / 4);
  await measureIdle(bench, Math.min(300, 40 * SECONDS));
  await measurePages(bench, SECONDS);
});
