import { emailKey } from '../people/email.ts';
import type { ManagedSource } from '../sources/manage.ts';
import { sourceProblems } from '../sources/source.ts';
import type { FileDocument } from './file/document.ts';
import type { OperatorFile, SourceEntry } from './file/shape.ts';
import { definitionOf, findKnown, settingsOf } from './source-entry.ts';
import type { State } from './state.ts';

type Checking = {
  document: FileDocument;
  file: OperatorFile;
  state: State;
  sources: readonly ManagedSource[];
  at: Temporal.Instant;
};

/** Reports all problems with the sources of a file, each at its place. */
export function checkSources(checking: Checking): void {
  const { file, state } = checking;
  const teams = new Set([...(file.teams ?? []), ...state.teams].map(({ slug }) => slug.toLowerCase()));
  const people = new Set(
    [...(file.users ?? []), ...state.users.filter(({ disabledAt }) => disabledAt === null)].map(({ email }) =>
      emailKey(email),
    ),
  );
  for (const entry of file.sources ?? []) checkSource(checking, entry, { teams, people });
}

type Known = { teams: ReadonlySet<string>; people: ReadonlySet<string> };

function checkSource(
  { document, sources, at }: Checking,
  entry: SourceEntry,
  { teams, people }: Known,
): void {
  const report = (field: string, message: string) => {
    const path = document.pathOf(entry, field);
    if (!document.hasErrorsAt(path)) document.report(path, message);
  };
  const noTeam = 'is neither in this file nor in the organization; add it under teams';
  const before = findKnown(sources, entry);
  if (!teams.has(entry.team.toLowerCase())) report('team', `is ${entry.team}, which ${noTeam}`);
  if (before && before.type !== entry.type)
    report(
      'type',
      `is ${entry.type}, but the source ${before.name} has the type ${before.type}, which cannot change; revoke it first, or give another name`,
    );
  const problems = sourceProblems(definitionOf(entry, before, null), at);
  for (const { field, message } of problems) report(field, message);
  if (problems.length > 0) return;
  for (const [index, { then }] of (settingsOf(entry)?.rules ?? []).entries()) {
    const field = `settings.rules[${index}].then`;
    if (then.team !== undefined && !teams.has(then.team.toLowerCase()))
      report(`${field}.team`, `is ${then.team}, which ${noTeam}`);
    if (then.person !== undefined && !people.has(emailKey(then.person)))
      report(
        `${field}.person`,
        `is ${then.person}, who is neither in this file nor in the organization; add them under users`,
      );
  }
}
