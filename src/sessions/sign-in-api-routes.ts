import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { Fault } from '../kit/fault.ts';
import { route } from '../kit/route.ts';
import type { Sealing } from '../kit/sealing.ts';
import { t } from '../language/contract.ts';
import { emailKey } from '../people/email.ts';
import { signInApi } from './api-contract.ts';
import { type ArrivalServices, arrive, arriveByPassword } from './arrival.ts';
import { type Attempts, accountSubject, addressSubject, subjectsOf } from './attempts.ts';
import { knownDevice } from './known-device.ts';
import { demandOwnPage } from './own-page.ts';
import { passkeyOptions, whoseIsPasskey } from './passkeys/passkeys.ts';
import { relyingParty } from './passkeys/relying-party.ts';
import { sendNewPasswordLink, setForgottenPassword } from './passwords/forgotten.ts';
import { verifyPassword } from './passwords/hashing.ts';
import {
  type Candidate,
  findAddressees,
  findChallenge,
  findPasswords,
  takeChallenge,
} from './sign-in-store.ts';
import { isEmpty } from './store.ts';
import { checkCode } from './two-factor/check-code.ts';

export type SignInApiServices = ArrivalServices & {
  sealing: Sealing;
  attempts: Attempts;
  config: { publicUrl: string; oidc: { name: string } | null };
  /** Whether email is set up. */
  emails(): boolean;
};

/** The least milliseconds of a request for a new password, so that its duration does not reveal accounts. */
const FORGOTTEN_TAKES_MS = 300;

/** POST /api/sign-in/…: sign people in. Open to everybody, but only from our own pages. */
export function signInApiRoutes(api: FastifyInstance, services: SignInApiServices): void {
  const { db, clock, attempts, config } = services;
  api.addHook('onRequest', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.method !== 'GET') demandOwnPage(request, config.publicUrl);
  });

  route(api, signInApi.ways, async () => ({
    empty: await isEmpty(db),
    passkey: relyingParty(config.publicUrl) !== null,
    oidc: config.oidc?.name ?? null,
    reset: services.emails(),
  }));

  route(api, signInApi.password, async (request, reply) => {
    const { email, password } = request.body;
    const candidates = await findPasswords(db, email);
    const owners = candidates.map(({ userId }) => userId);
    const device = knownDevice(services, owners, request);
    const subjects = subjectsOf(`password ${emailKey(email)}`, request.ip, device);
    await attempts.spend(subjects);
    const who = await whoHas(candidates, password);
    if (!who) throw wrongPassword();
    await attempts.forgive(subjects);
    return arriveByPassword(services, who, request, reply);
  });

  route(api, signInApi.code, async (request, reply) => {
    const { ticket, code } = request.body;
    const asked = await findChallenge(db, clock, 'second_factor', ticket);
    if (!asked?.organizationId || !asked.userId) throw tooLate();
    const who = { organizationId: asked.organizationId, userId: asked.userId };
    const device = knownDevice(services, [who.userId], request);
    const subjects = [accountSubject(`code ${who.userId}`, device)];
    await attempts.spend(subjects);
    if (!(await checkCode(services, who.userId, code))) throw wrongCode();
    await attempts.forgive(subjects);
    if (!(await takeChallenge(db, clock, 'second_factor', ticket))) throw tooLate();
    const method = asked.data.method === 'link' ? 'link' : 'password';
    return arrive(services, { ...who, method }, request, reply);
  });

  route(api, signInApi.passkeyOptions, async (request) => {
    await attempts.spend([addressSubject('options', request.ip)]);
    return passkeyOptions(services, null);
  });

  route(api, signInApi.passkey, async (request, reply) => {
    const who = await whoseIsPasskey(services, null, request.body.answer);
    await attempts.forgive([addressSubject('options', request.ip)]);
    return arrive(services, { ...who, method: 'passkey' }, request, reply);
  });

  route(api, signInApi.forgotten, async (request) => {
    if (!services.emails()) throw noEmail();
    const { email } = request.body;
    const owners = (await findAddressees(db, email)).map(({ userId }) => userId);
    const device = knownDevice(services, owners, request);
    await attempts.spend(subjectsOf(`forgotten ${emailKey(email)}`, request.ip, device));
    await Promise.all([sendNewPasswordLink(services, email), delay(FORGOTTEN_TAKES_MS)]);
    return { sent: true };
  });

  route(api, signInApi.newPassword, async (request, reply) => {
    const { token, password } = request.body;
    const who = await setForgottenPassword(services, token, password);
    return arriveByPassword(services, who, request, reply);
  });
}

/** Checks the password of every candidate. An unknown address takes as long as a known one. */
async function whoHas(candidates: readonly Candidate[], password: string): Promise<Candidate | null> {
  if (candidates.length === 0) await verifyPassword(password, null);
  let found: Candidate | null = null;
  for (const candidate of candidates)
    if ((await verifyPassword(password, candidate.hash)) && !found) found = candidate;
  return found;
}

function wrongPassword(): Fault {
  return new Fault('unauthorized', [
    { field: 'email or password', message: t('is wrong; try again, or sign in another way') },
  ]);
}

function wrongCode(): Fault {
  return new Fault('unauthorized', [
    {
      field: 'code',
      message: t('is wrong or was already used; wait for the next one, or use a recovery code'),
    },
  ]);
}

function tooLate(): Fault {
  return new Fault('gone', [
    {
      field: 'ticket',
      message: t('This sign-in has expired; start again with your password or a new link.'),
    },
  ]);
}

function noEmail(): Fault {
  return new Fault('conflict', [
    {
      field: 'email',
      message: t(
        'is not set up here; ask an admin of your organization or the operator of this service for a sign-in link',
      ),
    },
  ]);
}
