import { examine } from '../doctor/examine.ts';
import { findingText } from '../doctor/finding.ts';
import type { Session } from '../session.ts';
import { withLocal } from './database.ts';

/** Prints the doctor's findings. Returns false if there is a problem. */
export async function diagnose(session: Session): Promise<boolean> {
  const { output } = session;
  const findings = await withLocal(session, ({ db, clock, config }) => examine(db, clock, config));
  const problems = findings.filter(({ level }) => level === 'problem').length;
  output.result(findings.map(findingText).join('\n'), { ok: problems === 0, findings });
  if (problems === 1) output.note('There is a problem because of which a page could be lost.');
  if (problems > 1) output.note(`There are ${problems} problems because of which pages could be lost.`);
  return problems === 0;
}
