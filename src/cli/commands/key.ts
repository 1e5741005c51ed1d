import { type Command, InvalidArgumentError } from 'commander';
import { newKey, SCOPES } from '../../keys/key.ts';
import { insertKey } from '../../keys/store.ts';
import { newId } from '../../kit/typeid.ts';
import { recordAudit } from '../../people/audit-store.ts';
import { createCommand, instantOption } from '../command.ts';
import { withLocal } from '../local.ts';
import { findUser } from '../local-people.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../session.ts';

type Options = {
  user: string;
  name: string;
  organization?: string;
  expires?: Temporal.Instant;
  scopes?: string[];
};

export function keyCommand(session: Session): Command {
  const create = createCommand('create', 'Make an API key and print it, once, alone on stdout.', [
    'key create --user ada@example.com --name laptop',
    'key create --user ci@example.com --name deploys --scopes pages,requests --expires 2027-01-01T00:00:00Z',
    'export TOCSIN_KEY=$(tocsin key create --user ada@example.com --name laptop)',
  ])
    .requiredOption('--user <email>', 'whose key it is')
    .requiredOption('--name <name>', 'what it is for')
    .option('--expires <time>', 'until when it works', instantOption)
    .option('--scopes <scopes>', `what it may do, separated by commas: ${SCOPES.join(', ')}`, scopesOption)
    .option('--organization <name>', 'needed only if the person belongs to several')
    .action((options: Options) => withLocal(session, (local) => createKey(session, local, options)));
  return createCommand('key', 'Make API keys.').addCommand(create);
}

function scopesOption(text: string): string[] {
  const scopes = text.split(',').map((scope) => scope.trim());
  const unknown = scopes.find((scope) => !SCOPES.some((known) => known === scope));
  if (unknown === undefined) return [...new Set(scopes)];
  throw new InvalidArgumentError(`${JSON.stringify(unknown)} is none of ${SCOPES.join(', ')}.`);
}

async function createKey(
  { output }: Session,
  { db, clock }: Parameters<Parameters<typeof withLocal>[1]>[0],
  options: Options,
): Promise<void> {
  const name = options.name.trim();
  if (name === '' || [...name].length > 200) throw new Refusal('--name must have 1 to 200 characters.');
  const { key, hash, hint } = newKey();
  const id = newId('api_key');
  const user = await db.transaction().execute(async (tx) => {
    const at = await clock.now(tx);
    const owner = await findUser(tx, options.user, options.organization ?? null);
    if (options.expires && Temporal.Instant.compare(options.expires, at) <= 0)
      throw new Refusal(`--expires is ${options.expires}, which is past; give a later time.`);
    await insertKey(tx, clock, {
      id,
      organizationId: owner.organization.id,
      userId: owner.id,
      name,
      hash,
      hint,
      scopes: options.scopes ?? null,
      expiresAt: options.expires ?? null,
    });
    const data = { name, user: owner.email };
    await recordAudit(tx, at, owner.organization.id, null, [{ action: 'key.create', subject: id, data }]);
    return owner;
  });
  output.result(key, { id, key, name, user: user.email });
}
