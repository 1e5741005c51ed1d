import { newKey } from '../../keys/key.ts';
import { insertKey } from '../../keys/store.ts';
import { oneLine } from '../../kit/one-line.ts';
import { newId } from '../../kit/typeid.ts';
import { type AuditEntry, recordAudit } from '../../people/store.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';
import { type Local, withLocal } from './database.ts';
import { findUser } from './people.ts';

export type KeyOptions = {
  user: string;
  name: string;
  organization?: string;
  expires?: Temporal.Instant;
  scopes?: string[];
  full?: boolean;
};

/** Creates an API key and prints it; it is never shown again. */
export async function createKey(session: Session, options: KeyOptions): Promise<void> {
  const name = oneLine(options.name).trim();
  if (name === '' || [...name].length > 200) throw new Refusal('--name must have 1 to 200 characters.');
  if (options.full && options.scopes)
    throw new Refusal('--full and --scopes cannot be combined; give only one of them.');
  const made = await withLocal(session, (local) => saveKey(local, name, options));
  session.output.result(made.key, made);
}

async function saveKey({ db, clock }: Local, name: string, options: KeyOptions) {
  const { key, hash, hint } = newKey();
  const id = newId('api_key');
  return db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const user = await findUser(tx, options.user, options.organization ?? null);
    if (options.expires && Temporal.Instant.compare(options.expires, at) <= 0)
      throw new Refusal(`--expires is ${options.expires}, which is past; give a later time.`);
    const organizationId = user.organization.id;
    await insertKey(tx, clock, {
      id,
      organizationId,
      userId: user.id,
      name,
      hash,
      hint,
      scopes: options.scopes ?? null,
      full: options.full === true,
      expiresAt: options.expires ?? null,
    });
    const entry: AuditEntry = {
      action: 'key.create',
      subject: id,
      data: { name, user: user.email, full: options.full === true },
    };
    await recordAudit(tx, at, organizationId, null, [entry]);
    return { id, key, name, user: user.email };
  });
}
