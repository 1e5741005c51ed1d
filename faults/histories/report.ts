import type { Failure, Found } from './run.ts';

/** The result of a run for people: its figures, and the stories of broken promises. */
export function reportOf(found: Found): string {
  const { seed, played, pages, notifications, deaths, loose, failures } = found;
  const figures = `${played} histories played: ${pages} pages, ${notifications} notifications, ${deaths} nodes died, ${loose} pages in which the service could choose.`;
  if (failures.length === 0) return `${figures}\nEvery promise was kept.`;
  return [figures, ...failures.map((failure) => failureText(seed, failure))].join('\n\n');
}

function failureText(seed: number, failure: Failure): string {
  return [
    failure.isRare
      ? 'A promise was broken, but not when the same history was played again, alone:'
      : 'A promise was broken. The shortest history that was found:',
    '',
    failure.story,
    '',
    ...failure.broken.map((sentence) => `! ${sentence}`),
    '',
    `Again: npm run faults -- --histories 1 --seed ${seed} --path ${failure.path}`,
    `As data: ${JSON.stringify(failure.history)}`,
  ].join('\n');
}
