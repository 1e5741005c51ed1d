/**
 * Builds the image from Debian packages with the Dockerfile of this repository, runs it, sends a page, and measures it.
 * Then builds the Debian package, and checks the chart and the compose files with their makers' tools. Reports in plain
 * sentences what could not be done; the exit code is 1 only if something is wrong.
 */
import { checkChart } from './chart.ts';
import { checkCompose } from './compose.ts';
import { makeDebianPackage } from './debian-package.ts';
import { buildImage } from './image.ts';
import { enable } from './platform.ts';
import { createReport, type Step } from './report.ts';
import { tryImage } from './try-image.ts';
import { tryUnit } from './unit.ts';
import { type Part, readWanted, runsPrograms, type Wanted } from './wanted.ts';

const STEPS: Record<Part, readonly [name: string, step: Step]> = {
  build: ['image', buildImage],
  page: ['a page from the image', tryImage],
  debian: ['Debian package', makeDebianPackage],
  unit: ['the unit of the package', tryUnit],
  chart: ['chart', checkChart],
  compose: ['compose files', checkCompose],
};

function read(): Wanted {
  try {
    return readWanted(process.argv.slice(2));
  } catch (error) {
    console.error(`npm run image: ${error instanceof Error ? error.message : error}`);
    process.exit(2);
  }
}

const { platform, parts } = read();
const report = createReport();
const obstacle = enable(platform);
if (obstacle !== null)
  await report.step(`image for ${platform.name}`, ({ couldNot }) =>
    couldNot(
      `The image and the Debian package for ${platform.name} were neither built nor tried, because this machine cannot run their programs: ${obstacle}.`,
    ),
  );
for (const part of parts) {
  if (obstacle !== null && runsPrograms(part)) continue;
  const [name, step] = STEPS[part];
  await report.step(runsPrograms(part) ? `${name} for ${platform.name}` : name, (to) => step(to, platform));
}
process.exitCode = report.end();
