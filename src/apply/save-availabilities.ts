import { upsertAvailabilities } from '../availability/actions.ts';
import type { Tx } from '../db/database.ts';
import { instantText } from '../kit/instant.ts';
import { oneLine } from '../kit/one-line.ts';
import { emailKey } from '../people/email.ts';
import type { Change } from './change.ts';
import { rangeOf } from './file/contents.ts';
import type { OperatorFile } from './file/shape.ts';
import type { State } from './state.ts';

export type SavedAvailabilities = {
  /** The ids of all records in the file. */
  ids: string[];
  changes: Change[];
};

export async function saveAvailabilities(
  tx: Tx,
  at: Temporal.Instant,
  { availabilities = [] }: OperatorFile,
  state: State,
  userIds: ReadonlyMap<string, string>,
): Promise<SavedAvailabilities> {
  const rows = availabilities.map(({ user, type, name = '', ...times }) => ({
    userId: userIds.get(emailKey(user)) ?? '',
    type,
    name: oneLine(name),
    ...rangeOf(times),
  }));
  const saved = await upsertAvailabilities(tx, at, state.organization.id, rows);
  return {
    ids: saved.map(({ record }) => record.id),
    changes: saved.flatMap(({ record, created }, index) =>
      created ? [availabilityChange('add', record, availabilities[index]?.user ?? record.userId)] : [],
    ),
  };
}

export function availabilityChange(
  action: Change['action'],
  record: { id: string; type: string; name: string; startsAt: Temporal.Instant; endsAt: Temporal.Instant },
  email: string,
): Change {
  const { id, type, name, startsAt, endsAt } = record;
  const details = [...(name ? [name] : []), type, `${instantText(startsAt)} to ${instantText(endsAt)}`];
  return { action, kind: 'availability', id, name: email, details };
}
