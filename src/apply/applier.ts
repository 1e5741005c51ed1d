import { Fault } from '../kit/fault.ts';

/**
 * Who applies a file. The operator of the machine may do everything. An owner who sends the file to the API is limited
 * to their own organization and cannot vouch for contact methods of others; with an API key, they also cannot grant
 * access (decision 0099).
 */
export type Applier = 'operator' | ApiApplier;
export type ApiApplier = { organizationId: string; userId: string; name: string; byKey: boolean };

/** For the audit log; null for the operator. */
export function personOf(by: Applier): string | null {
  return by === 'operator' ? null : by.userId;
}

export function nameOf(by: Applier): string {
  return by === 'operator' ? 'the operator' : by.name;
}

/** Whether the file may add people, enable them, and change roles and secrets. */
export function mayGrantAccess(by: Applier): boolean {
  return by === 'operator' || !by.byKey;
}

/** The file of somebody who is no owner, or no longer one, for example because it had to wait for its plans. */
export function notAnOwner(): Fault {
  return new Fault('forbidden', [
    { field: 'file', message: 'can only be applied by owners of the organization; ask one of them' },
  ]);
}

/** The most entries of a file that is sent to the API, because the process that reads it also accepts pages. */
export const MOST_ENTRIES = 2_000;

export const ON_THE_COMMAND_LINE = 'or let the operator of the service apply the file with tocsin apply';
