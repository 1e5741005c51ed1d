import type { Clock } from '../../db/clock.ts';
import type { Database, Tx } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { knownFields } from '../../kit/known-fields.ts';
import { t } from '../../language/contract.ts';
import { methodOf } from '../../notifications/channels/contract.ts';
import { MethodChangeBody } from '../contact-contract.ts';
import {
  deleteContactMethods,
  lockMethod,
  type Owner,
  orderMethods,
  updateMethod,
} from '../contact-store.ts';
import { audit } from '../store.ts';
import { conflict, type MethodServices, newSigningSecret } from './actions.ts';
import type { Destination } from './courier.ts';

export async function changeMethod(
  { db, clock }: MethodServices,
  owner: Owner,
  id: string,
  change: MethodChangeBody,
): Promise<void> {
  const { notices, events } = change;
  await changing(db, clock, owner, id, async (tx, at, { type }) => {
    if (events !== undefined && events.length > 0 && !methodOf(type).signed)
      throw new Fault('bad_request', [
        {
          field: 'events',
          message: t('are only sent to webhooks; leave them out, or give the id of a webhook'),
        },
      ]);
    await updateMethod(tx, at, id, { notices, events });
    await audit(tx, at, owner, 'contact_method.change', id, knownFields(MethodChangeBody, change));
  });
}

/** Replaces the signing secret of a webhook. Signatures with the old one are no longer valid. */
export async function renewSecret(
  { db, clock, sealing }: MethodServices,
  owner: Owner,
  id: string,
): Promise<string> {
  const secret = newSigningSecret();
  await changing(db, clock, owner, id, async (tx, at, method) => {
    if (!methodOf(method.type).signed)
      throw conflict('id', t('is not a webhook; only webhooks have a signing secret'));
    await updateMethod(tx, at, id, { signingSecret: sealing.seal(secret) });
    await audit(tx, at, owner, 'contact_method.renew_secret', id, {});
  });
  return secret;
}

export async function removeMethod({ db, clock }: MethodServices, owner: Owner, id: string): Promise<void> {
  await changing(db, clock, owner, id, async (tx, at, { type, value }) => {
    await deleteContactMethods(tx, owner.organizationId, [id]);
    const what = methodOf(type).form ? { type, value } : { type };
    await audit(tx, at, owner, 'contact_method.remove', id, what);
  });
}

/** Sorts the methods. Methods that are not named follow in their current order. */
export async function reorderMethods(
  { db, clock }: MethodServices,
  owner: Owner,
  ids: readonly string[],
): Promise<void> {
  if (new Set(ids).size !== ids.length)
    throw new Fault('invalid_request', [
      { field: 'ids', message: t('contain a value twice; give each once') },
    ]);
  await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const theirs = await orderMethods(tx, at, owner, ids);
    const ordered = ids.filter((id) => theirs.has(id));
    await audit(tx, at, owner, 'contact_method.order', owner.userId, { ids: ordered });
  });
}

async function changing(
  db: Database,
  clock: Clock,
  owner: Owner,
  id: string,
  change: (tx: Tx, at: Temporal.Instant, method: Destination) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const method = await lockMethod(tx, owner, id);
    if (!method) throw new Fault('not_found');
    await change(tx, await clock.now(tx), method);
  });
}
