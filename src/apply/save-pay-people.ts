import type { Tx } from '../db/database.ts';
import type { Assignment } from '../pay/eras.ts';
import { deleteAssignment, listPeople, listTables, saveAssignment } from '../pay/store.ts';
import { BEGINNING, tableKey } from '../pay/tables.ts';
import { emailKey } from '../people/email.ts';
import type { Organization } from '../people/store.ts';
import { type Change, difference } from './change.ts';
import type { FileDocument } from './file/document.ts';
import type { PayEntry, UserEntry } from './file/shape.ts';

export type PayPeopleSaving = {
  tx: Tx;
  document: FileDocument;
  organization: Organization;
  /** The ids of everybody, by email key. */
  users: ReadonlyMap<string, string>;
};

/**
 * Saves by which rate table each person of the file is paid. A list in the file replaces all assignments of its person. Call it
 * when the rate tables of the file are saved.
 */
export async function savePayPeople(
  { tx, document, organization, users }: PayPeopleSaving,
  entries: readonly UserEntry[],
): Promise<Change[]> {
  const tables = await listTables(tx, organization.id);
  const idOf = new Map(tables.map(({ name, id }) => [tableKey(name), id]));
  const nameOf = new Map(tables.map(({ name, id }) => [id, name]));
  const people = await listPeople(tx, organization.id);
  const before = new Map(people.map(({ person, assignments }) => [person.id, assignments]));
  const changes: Change[] = [];
  for (const { email, pay } of entries) {
    const id = users.get(emailKey(email)) ?? '';
    if (!pay) continue;
    for (const entry of pay) refuseUnknown(document, entry, idOf);
    const after = pay.map(({ table, from = BEGINNING }) => ({
      from,
      tableId: table && tableOf(idOf, table),
    }));
    const details = await saveAssignments(
      tx,
      organization.id,
      { id, before: before.get(id) ?? [], after },
      nameOf,
    );
    if (details.length > 0) changes.push({ action: 'change', kind: 'user', id, name: email, details });
  }
  return changes;
}

function tableOf(idOf: ReadonlyMap<string, string>, name: string): string | null {
  return idOf.get(tableKey(name)) ?? null;
}

function refuseUnknown(document: FileDocument, entry: PayEntry, idOf: ReadonlyMap<string, string>): void {
  if (entry.table === null || tableOf(idOf, entry.table) !== null) return;
  document.report(
    document.pathOf(entry, 'table'),
    `is ${JSON.stringify(entry.table)}, which is not a rate table of the organization; add it under pay_tables, or give null for a person who is not paid`,
  );
}

async function saveAssignments(
  tx: Tx,
  organizationId: string,
  { id, before, after }: { id: string; before: readonly Assignment[]; after: readonly Assignment[] },
  nameOf: ReadonlyMap<string, string>,
): Promise<string[]> {
  const details: string[] = [];
  const days = new Set([...before, ...after].map(({ from }) => from));
  for (const from of [...days].toSorted()) {
    const was = before.find((one) => one.from === from);
    const is = after.find((one) => one.from === from);
    const what = from === BEGINNING ? 'pay' : `pay from ${from}`;
    const changed = difference(what, shown(was, nameOf), shown(is, nameOf));
    if (changed.length === 0) continue;
    details.push(...changed);
    if (is) await saveAssignment(tx, organizationId, id, is);
    else await deleteAssignment(tx, organizationId, id, from);
  }
  return details;
}

/** Null for none, when the default table or an earlier assignment holds. */
function shown(assignment: Assignment | undefined, nameOf: ReadonlyMap<string, string>): string | null {
  if (!assignment) return null;
  return assignment.tableId === null ? 'not paid' : (nameOf.get(assignment.tableId) ?? assignment.tableId);
}
