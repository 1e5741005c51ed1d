import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Clock } from '../../db/clock.ts';
import type { Database } from '../../db/database.ts';
import { Fault } from '../../kit/fault.ts';
import { newId } from '../../kit/typeid.ts';
import { t } from '../../language/contract.ts';
import {
  findPasskey,
  keepChallenge,
  listPasskeys,
  notePasskeyUse,
  type Passkey,
  takeChallenge,
} from '../sign-in-store.ts';
import { type RelyingParty, relyingParty } from './relying-party.ts';

type Owner = { organizationId: string; userId: string };
type PasskeyServices = { db: Database; clock: Clock; config: { publicUrl: string } };

/** How many minutes people have to use their passkey. */
const PATIENCE = 5;

/** The data that a browser needs to create a passkey for a person. */
export async function newPasskeyOptions(
  { db, clock, config }: PasskeyServices,
  owner: Owner,
  person: { name: string; email: string },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id: rpID } = partyOf(config.publicUrl);
  const { generateRegistrationOptions } = await import('@simplewebauthn/server');
  const known = await listPasskeys(db, owner.organizationId, owner.userId);
  const options = await generateRegistrationOptions({
    rpName: 'Tocsin',
    rpID,
    userID: new TextEncoder().encode(owner.userId),
    userName: person.email,
    userDisplayName: person.name,
    excludeCredentials: known.map(({ credentialId, transports }) => ({ id: text(credentialId), transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await keepChallenge(db, clock, 'passkey_new', options.challenge, PATIENCE, { ...owner, data: {} });
  return options;
}

/** Verifies the passkey that the browser created. It is not stored yet. */
export async function readNewPasskey(
  { db, clock, config }: PasskeyServices,
  owner: Owner,
  response: unknown,
): Promise<Passkey> {
  const { id: expectedRPID, origin: expectedOrigin } = partyOf(config.publicUrl);
  const given = response as RegistrationResponseJSON;
  const expectedChallenge = async (challenge: string) =>
    (await takeChallenge(db, clock, 'passkey_new', challenge))?.userId === owner.userId;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyRegistrationResponse({
    response: given,
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) throw notGood();
  const { credential } = checked.registrationInfo;
  return {
    id: newId('passkey'),
    ...owner,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: (credential.transports ?? []).map(String).slice(0, 10),
  };
}

/** The data that a browser needs to sign in with a passkey, of one person or of anybody. */
export async function passkeyOptions(
  { db, clock, config }: PasskeyServices,
  owner: Owner | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id: rpID } = partyOf(config.publicUrl);
  const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
  const known = owner ? await listPasskeys(db, owner.organizationId, owner.userId) : [];
  const options = await generateAuthenticationOptions({
    rpID,
    userVerification: 'required',
    allowCredentials: known.map(({ credentialId, transports }) => ({ id: text(credentialId), transports })),
  });
  const who = owner ?? { organizationId: null, userId: null };
  await keepChallenge(db, clock, 'passkey', options.challenge, PATIENCE, { ...who, data: {} });
  return options;
}

/**
 * The person of a valid passkey. A challenge for one person can only be answered by that person. A passkey counts as two
 * factors, because the device has verified a face, a finger or a PIN.
 */
export async function whoseIsPasskey(
  { db, clock, config }: PasskeyServices,
  owner: Owner | null,
  response: unknown,
): Promise<Owner> {
  const { id: expectedRPID, origin: expectedOrigin } = partyOf(config.publicUrl);
  const given = response as AuthenticationResponseJSON;
  const passkey = await findPasskey(db, Buffer.from(String(given?.id), 'base64url'));
  if (!passkey || (owner && passkey.userId !== owner.userId)) throw notGood();
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: async (challenge) => {
      const taken = await takeChallenge(db, clock, 'passkey', challenge);
      return taken !== null && taken.userId === (owner?.userId ?? null);
    },
    expectedOrigin,
    expectedRPID,
    requireUserVerification: true,
    credential: {
      id: text(passkey.credentialId),
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
    },
  }).catch(() => null);
  if (!checked?.verified) throw notGood();
  await notePasskeyUse(db, clock, passkey.id, checked.authenticationInfo.newCounter);
  return { organizationId: passkey.organizationId, userId: passkey.userId };
}

function partyOf(publicUrl: string): RelyingParty {
  const party = relyingParty(publicUrl);
  if (party) return party;
  throw new Fault('conflict', [
    {
      field: 'passkey',
      message: t(
        'is not possible at {publicUrl}: browsers allow it under HTTPS at a host with a name, and on localhost',
        { publicUrl },
      ),
    },
  ]);
}

function notGood(): Fault {
  return new Fault('bad_request', [
    {
      field: 'passkey',
      message: t('The passkey was not accepted: it is not registered, or it took too long; try again.'),
    },
  ]);
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url');
}
