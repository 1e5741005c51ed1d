import { instantText } from '../kit/instant.ts';
import { publishedValue } from '../planning/published-value.ts';
import type { Applied, ApplyOptions } from './apply.ts';
import type { Change } from './change.ts';
import { planNotes, publishedNotes } from './plan.ts';

const SIGNS = { add: '+', change: '~', remove: '-' } as const;

/** The applied changes, for people. */
export function appliedText(applied: Applied, { dryRun }: ApplyOptions): string {
  const { changes, notes, secrets, sourceKeys, organization, plans } = applied;
  const lines = [
    ...changes.flatMap(changeLines),
    ...[...publishedNotes(plans), ...planNotes(plans)].map((note) => `= ${note}`),
    ...notes.map((note) => `! ${note}`),
    summary(changes, organization.name, dryRun),
  ];
  // A dry run was rolled back, and its secrets with it.
  if (secrets.length > 0 && !dryRun) {
    lines.push('', 'Signing secrets of new webhooks, shown only once:');
    lines.push(...secrets.map(({ user, url, signingSecret }) => `  ${user}  ${url}  ${signingSecret}`));
  }
  if (sourceKeys.length > 0 && !dryRun) {
    lines.push('', 'Keys of new sources, shown only once:');
    lines.push(...sourceKeys.map(({ team, name, key }) => `  ${team}  ${name}  ${key}`));
  }
  return lines.join('\n');
}

function changeLines({ action, kind, name, details }: Change): string[] {
  const [first, ...rest] = details;
  const head = `${SIGNS[action]} ${kind} ${name}`;
  if (first === undefined) return [head];
  if (rest.length === 0) return [`${head}: ${first}`];
  return [head, ...details.map((detail) => `    ${detail}`)];
}

function summary(changes: readonly Change[], name: string, dryRun: boolean): string {
  if (changes.length === 0) return `Nothing changes: ${name} is as the file says.`;
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  const counts = `${count('add')} to add, ${count('change')} to change, ${count('remove')} to remove`;
  if (dryRun) return `${name}: ${counts}. Dry run: nothing was changed.`;
  return `${name}: ${count('add')} added, ${count('change')} changed, ${count('remove')} removed.`;
}

/** The applied changes, for programs. */
export function appliedValue(applied: Applied, { dryRun }: ApplyOptions) {
  const { organization, changes, notes, secrets, sourceKeys, plans } = applied;
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return {
    ok: true,
    dry_run: dryRun,
    organization: { id: organization.id, name: organization.name, time_zone: organization.timeZone },
    summary: { added: count('add'), changed: count('change'), removed: count('remove') },
    changes,
    notes,
    plans: plans.map(({ id, name, plannedUntil, published, gaps, figures }) => ({
      schedule: { id, name },
      published: publishedValue(published),
      planned_until: instantText(plannedUntil),
      figures,
      gaps: gaps.map(({ stage, startsAt, endsAt, sentence }) => ({
        stage,
        start: instantText(startsAt),
        end: instantText(endsAt),
        sentence,
      })),
    })),
    source_keys: dryRun ? [] : sourceKeys,
    signing_secrets: dryRun
      ? []
      : secrets.map(({ user, url, signingSecret }) => ({ user, url, signing_secret: signingSecret })),
  };
}
