/**
 * A result of the doctor. `fine`: nothing to do. `note`: a warning. `problem`: a page could be lost or reach nobody.
 * `fix` describes what to do.
 */
export type Finding = {
  level: 'fine' | 'note' | 'problem';
  about: 'database' | 'clock' | 'queue' | 'server' | 'providers' | 'people' | 'schedules' | 'organization';
  message: string;
  fix: string | null;
};

export function fine(about: Finding['about'], message: string): Finding {
  return { level: 'fine', about, message, fix: null };
}

export function note(about: Finding['about'], message: string, fix: string): Finding {
  return { level: 'note', about, message, fix };
}

export function problem(about: Finding['about'], message: string, fix: string): Finding {
  return { level: 'problem', about, message, fix };
}

const MARKS = { fine: 'ok', note: '!', problem: 'x' } as const;

export function findingText({ level, about, message, fix }: Finding): string {
  const line = `${MARKS[level].padEnd(2)}  ${about}: ${message}`;
  return fix === null ? line : `${line}\n      → ${fix}`;
}
