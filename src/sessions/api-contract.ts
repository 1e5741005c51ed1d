import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { Nullable } from '../kit/nullable-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { Role } from '../people/contract.ts';
import { ClockOfDay, OwnLanguage } from '../people/person-contract.ts';

/** What the dashboard reads and sends about signing in and accounts. Times are ISO 8601 in UTC. */

/**
 * The header with which an open dashboard names the person whom it shows, by their id. Its requests are refused if somebody
 * else has signed in in the same browser meanwhile.
 */
export const PERSON_HEADER = 'tocsin-person';

const SIGN_IN_METHODS = ['link', 'password', 'passkey', 'oidc', 'invitation', 'first_run'] as const;
/** How a person signed in. */
export type SignInMethod = (typeof SIGN_IN_METHODS)[number];

const Email = Type.String({ minLength: 1, maxLength: 320, format: 'text' });
const Password = Type.String({ maxLength: 1_000 });
const Token = Type.String({ minLength: 1, maxLength: 200 });
const Code = Type.String({ maxLength: 100 });
/** What the browser's passkey API returned. The library that reads it checks it. */
const BrowserAnswer = Type.Object({}, { additionalProperties: true });

/** What the browser's passkey API takes, as the library made it. */
const SignInOptions = Type.Unsafe<PublicKeyCredentialRequestOptionsJSON>(
  Type.Object(
    {},
    { additionalProperties: true, description: 'The options of `navigator.credentials.get()`.' },
  ),
);
const CreationOptions = Type.Unsafe<PublicKeyCredentialCreationOptionsJSON>(
  Type.Object(
    {},
    { additionalProperties: true, description: 'The options of `navigator.credentials.create()`.' },
  ),
);

const WaysIn = Type.Object({
  empty: Type.Boolean({
    description: 'Whether no user exists yet, so that the person who started the service creates the owner.',
  }),
  passkey: Type.Boolean({ description: 'Whether browsers allow passkeys at this address.' }),
  oidc: Nullable(Type.String(), "The name of the organization's identity provider; null without one."),
  reset: Type.Boolean({ description: 'Whether a forgotten password can be replaced by email.' }),
});
export type WaysIn = Static<typeof WaysIn>;

export const SignedIn = Type.Object({ signed_in: Type.Literal(true) });

const SignInAnswer = Type.Union(
  [SignedIn, Type.Object({ signed_in: Type.Literal(false), ticket: Type.String() })],
  {
    description: 'The result: signed in, or a code is required, to be sent with `ticket` within ten minutes.',
  },
);
export type SignInAnswer = Static<typeof SignInAnswer>;

/** The ways to sign in to this installation. */
export const signInApi = {
  ways: endpoint('GET /api/sign-in', { summary: 'List the ways to sign in', response: WaysIn }),
  password: endpoint('POST /api/sign-in/password', {
    summary: 'Sign in with a password',
    body: Type.Object({ email: Email, password: Password }),
    response: SignInAnswer,
  }),
  code: endpoint('POST /api/sign-in/code', {
    summary: 'Give the second factor after a password or a link',
    body: Type.Object({ ticket: Token, code: Code }),
    response: SignedIn,
  }),
  passkeyOptions: endpoint('POST /api/sign-in/passkey/options', {
    summary: 'Begin to sign in with a passkey',
    response: SignInOptions,
  }),
  passkey: endpoint('POST /api/sign-in/passkey', {
    summary: 'Sign in with a passkey',
    body: Type.Object({ answer: BrowserAnswer }),
    response: SignedIn,
  }),
  forgotten: endpoint('POST /api/sign-in/forgotten', {
    summary: 'Email a link with which a forgotten password is replaced',
    description: 'Sends the link, if somebody has this address; the answer is the same if nobody has.',
    body: Type.Object({ email: Email }),
    response: Type.Object({ sent: Type.Boolean() }),
  }),
  newPassword: endpoint('POST /api/sign-in/new-password', {
    summary: 'Replace a forgotten password and sign in',
    body: Type.Object({ token: Token, password: Password }),
    response: SignInAnswer,
  }),
};

const Named = { id: Type.String(), name: Type.String() };

const Session = Type.Object({
  user: Type.Object({
    ...Named,
    email: Type.String(),
    role: Role,
    time_zone: Type.String(),
    clock: ClockOfDay,
    language: OwnLanguage,
  }),
  organization: Type.Object({ ...Named, time_zone: Type.String() }),
  teams: Type.Array(Type.Object({ ...Named, slug: Type.String() })),
  second_factor_missing: Type.Boolean({
    description:
      'Whether the organization requires a second factor that this person has not set up, so that nothing else is available.',
  }),
  version: Type.String({ description: 'The version of the service.' }),
});
export type Session = Static<typeof Session>;

export const sessionApi = {
  show: endpoint('GET /api/session', { summary: 'Show who is signed in', response: Session }),
  end: endpoint('DELETE /api/session', {
    summary: 'Sign out',
    response: Type.Object({ signed_out: Type.Boolean() }),
  }),
};

const OwnPasskey = Type.Object({
  ...Named,
  last_used_at: Nullable(Type.String(TIME)),
  created_at: Type.String(TIME),
});
export type OwnPasskey = Static<typeof OwnPasskey>;

const OwnSession = Type.Object({
  id: Type.String(),
  browser: Type.String({ description: 'The browser and system, such as `Firefox on macOS`.' }),
  place: Type.String({ description: 'The network address without its last segment.' }),
  method: Type.Enum(SIGN_IN_METHODS, { type: 'string' }),
  current: Type.Boolean({ description: 'Whether this is the session that sent the request.' }),
  last_seen_at: Type.String(TIME),
  created_at: Type.String(TIME),
});
export type OwnSession = Static<typeof OwnSession>;

const Account = Type.Object({
  password: Type.Boolean({ description: 'Whether the person has a password.' }),
  codes: Type.Boolean({ description: 'Whether the person has set up an authenticator app.' }),
  recovery_codes_left: Type.Integer(),
  passkeys: Type.Array(OwnPasskey),
  passkeys_possible: Type.Boolean({ description: 'Whether browsers allow passkeys at this address.' }),
  oidc: Type.Boolean({
    description: "Whether the person has signed in with the organization's identity provider before.",
  }),
  two_factor_required: Type.Boolean({
    description: 'Whether the organization requires a second factor of everybody.',
  }),
  sessions: Type.Array(OwnSession),
});
export type Account = Static<typeof Account>;

/** One of: the password, a code from the app, a recovery code, a passkey. */
const Confirmation = Type.Object({
  password: Type.Optional(Password),
  code: Type.Optional(Code),
  passkey: Type.Optional(BrowserAnswer),
});
export type Confirmation = Static<typeof Confirmation>;

const Confirmed = Type.Object({ confirmed: Type.Literal(true) });
const Removed = Type.Object({ removed: Type.Boolean() });
const Ended = Type.Object({
  ended: Type.Integer({ description: 'The number of sessions that were ended.' }),
});

const RecoveryCodes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

/** How the viewer signs in, and their sessions. */
export const accountApi = {
  show: endpoint('GET /api/account', {
    summary: 'Show how you sign in, and your sessions',
    response: Account,
  }),
  confirm: endpoint('POST /api/account/confirm', {
    summary: 'Re-authenticate',
    description:
      'Confirms the identity with the password, a code from the app, a recovery code or a passkey.',
    body: Confirmation,
    response: Confirmed,
  }),
  confirmPasskey: endpoint('POST /api/account/confirm/passkey', {
    summary: 'Begin to re-authenticate with a passkey',
    response: SignInOptions,
  }),
  confirmed: endpoint('POST /api/account/confirmed', {
    summary: 'Check that you have re-authenticated',
    response: Confirmed,
  }),
  password: endpoint('POST /api/account/password', {
    summary: 'Set your password',
    description: 'Sets the password and ends all of your other sessions.',
    body: Type.Object({ password: Password }),
    response: Type.Object({ changed: Type.Literal(true) }),
  }),
  endSession: endpoint('DELETE /api/account/sessions/:id', {
    summary: 'End one of your sessions',
    response: Ended,
  }),
  endSessions: endpoint('DELETE /api/account/sessions', {
    summary: 'End all of your other sessions',
    response: Ended,
  }),
  passkeyOptions: endpoint('POST /api/account/passkeys/options', {
    summary: 'Begin to create a passkey',
    response: CreationOptions,
  }),
  createPasskey: endpoint('POST /api/account/passkeys', {
    summary: 'Create a passkey',
    body: Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })), answer: BrowserAnswer }),
    response: Type.Object(Named),
  }),
  removePasskey: endpoint('DELETE /api/account/passkeys/:id', {
    summary: 'Remove a passkey',
    response: Removed,
  }),
  beginCodes: endpoint('POST /api/account/codes/begin', {
    summary: 'Begin to set up an authenticator app',
    response: Type.Object(
      { secret: Type.String(), uri: Type.String(), token: Type.String() },
      { description: 'The data for the app. Send `token` with its first code.' },
    ),
  }),
  setUpCodes: endpoint('POST /api/account/codes', {
    summary: 'Set up an authenticator app',
    body: Type.Object({ token: Token, code: Code }),
    response: RecoveryCodes,
  }),
  removeCodes: endpoint('DELETE /api/account/codes', {
    summary: 'Remove the authenticator app',
    response: Removed,
  }),
  replaceRecoveryCodes: endpoint('POST /api/account/recovery-codes', {
    summary: 'Replace your recovery codes',
    response: RecoveryCodes,
  }),
};

const TwoFactorRule = Type.Object({ required: Type.Boolean() });

const TwoFactorState = Type.Object({
  ...TwoFactorRule.properties,
  without: Type.Integer({ description: 'The number of people who would have to set one up.' }),
  may_change: Type.Boolean(),
});
export type TwoFactorState = Static<typeof TwoFactorState>;

/** Whether the organization requires a second factor of everybody. */
export const twoFactorApi = {
  show: endpoint('GET /api/two-factor', {
    summary: 'Show whether a second factor is required',
    response: TwoFactorState,
  }),
  change: endpoint('POST /api/two-factor', {
    summary: 'Require a second factor of everybody, or no longer',
    description: 'Changes whether a second factor is required. Only owners may do this.',
    body: TwoFactorRule,
    response: TwoFactorState,
  }),
};
