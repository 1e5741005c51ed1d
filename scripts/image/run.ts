/**
 * Builds the image from Debian packages with the Dockerfile of this repository, runs it, sends a page, and measures it.
 * Then makes the Debian package and checks the chart and the compose files with the tools of their makers. Says in plain
 * sentences what could not be done; the exit code is 1 only if something is wrong.
 */
import { checkChart } from './chart.ts';
import { checkCompose } from './compose.ts';
import { makeDebianPackage } from './debian-package.ts';
import { buildImage } from './image.ts';
import { createReport, type Step } from './report.ts';
import { tryImage } from './try-image.ts';
import { tryUnit } from './unit.ts';

const PARTS: Record<string, readonly [name: string, step: Step]> = {
  build: ['image', buildImage],
  page: ['a page from the image', tryImage],
  debian: ['Debian package', makeDebianPackage],
  unit: ['the unit of the package', tryUnit],
  chart: ['chart', checkChart],
  compose: ['compose files', checkCompose],
};

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !Object.hasOwn(PARTS, name));
if (unknown !== undefined) {
  console.error(
    `npm run image: "${unknown}" is no part; the parts are ${Object.keys(PARTS).join(', ')}, and all run without a name`,
  );
  process.exit(2);
}
const report = createReport();
for (const [key, [name, step]] of Object.entries(PARTS))
  if (wanted.length === 0 || wanted.includes(key)) await report.step(name, step);
process.exitCode = report.end();
