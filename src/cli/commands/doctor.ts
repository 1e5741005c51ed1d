import type { Command } from 'commander';
import { createCommand } from '../command.ts';
import { examine } from '../doctor/examine.ts';
import { type Finding, findingText } from '../doctor/finding.ts';
import { withLocal } from '../local.ts';
import type { Session } from '../session.ts';

export function doctorCommand(session: Session, exit: (code: number) => void): Command {
  return createCommand(
    'doctor',
    'Check database, queue, clock, providers and that everybody on call can be reached, and say what to fix. Exit code 1 when a page could be lost.',
    ['doctor', 'doctor --json'],
  ).action(async () => {
    const findings = await withLocal(session, ({ db, clock, config }) => examine(db, clock, config));
    const problems = findings.filter(({ level }) => level === 'problem');
    session.output.result(report(findings), { ok: problems.length === 0, findings });
    if (problems.length === 0) return;
    session.output.note(
      problems.length === 1
        ? 'There is a problem that could cost a page.'
        : `There are ${problems.length} problems that could cost a page.`,
    );
    exit(1);
  });
}

function report(findings: readonly Finding[]): string {
  return findings.map(findingText).join('\n');
}
