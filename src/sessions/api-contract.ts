import { type Static, Type } from 'typebox';
import type { SignInMethod } from './contract.ts';

/** What the dashboard reads and sends to sign people in. Times are ISO 8601 in UTC. */

/** The ways to sign in to this installation. */
export type WaysIn = {
  /** No user exists yet: the person who started the service creates the owner. */
  empty: boolean;
  passkey: boolean;
  /** The name of the organization's identity provider; null without one. */
  oidc: string | null;
  /** A forgotten password can be replaced by email. */
  reset: boolean;
};

const Email = Type.String({ minLength: 1, maxLength: 320, format: 'text' });
const Password = Type.String({ maxLength: 1_000 });
const Token = Type.String({ minLength: 1, maxLength: 200 });
/** What the browser's passkey API returned. The library that reads it checks it. */
const BrowserAnswer = Type.Object({}, { additionalProperties: true });

export const PasswordSignIn = Type.Object({ email: Email, password: Password });
export type PasswordSignIn = Static<typeof PasswordSignIn>;
export const CodeSignIn = Type.Object({ ticket: Token, code: Type.String({ maxLength: 100 }) });
export type CodeSignIn = Static<typeof CodeSignIn>;
export const PasskeyAnswer = Type.Object({ answer: BrowserAnswer });
export const Forgotten = Type.Object({ email: Email });
export const NewPassword = Type.Object({ token: Token, password: Password });
export type NewPassword = Static<typeof NewPassword>;

/** Either signed in, or a code is required: send it with `ticket` within ten minutes. */
export type SignInAnswer = { signed_in: true } | { signed_in: false; ticket: string };

/** One of: the password, a code from the app, a recovery code, a passkey. */
export const Confirmation = Type.Object({
  password: Type.Optional(Password),
  code: Type.Optional(Type.String({ maxLength: 100 })),
  passkey: Type.Optional(BrowserAnswer),
});
export type Confirmation = Static<typeof Confirmation>;

export type Account = {
  password: boolean;
  /** An authenticator app is set up. */
  codes: boolean;
  recovery_codes_left: number;
  passkeys: OwnPasskey[];
  /** Browsers allow passkeys at this address. */
  passkeys_possible: boolean;
  /** Has signed in with the organization's identity provider before. */
  oidc: boolean;
  /** The organization requires a second factor of everybody. */
  two_factor_required: boolean;
  sessions: OwnSession[];
};
export type OwnPasskey = { id: string; name: string; last_used_at: string | null; created_at: string };
export type OwnSession = {
  id: string;
  /** `Firefox on macOS` */
  browser: string;
  /** The address without its last part. */
  place: string;
  method: SignInMethod;
  /** The session that sent this request. */
  current: boolean;
  last_seen_at: string;
  created_at: string;
};

export const OwnPassword = Type.Object({ password: Password });
export const NewPasskey = Type.Object({
  name: Type.Optional(Type.String({ maxLength: 200 })),
  answer: BrowserAnswer,
});
export type NewPasskey = Static<typeof NewPasskey>;
export const CodesSetUp = Type.Object({ token: Token, code: Type.String({ maxLength: 100 }) });
export type CodesSetUp = Static<typeof CodesSetUp>;

/** What an authenticator app needs. Send `token` with its first code. */
export type CodesBegun = { secret: string; uri: string; token: string };
export type RecoveryCodes = { recovery_codes: string[] };

/** Whether the organization requires a second factor of everybody. Only owners change it. */
export const TwoFactorRule = Type.Object({ required: Type.Boolean() });
export type TwoFactorRule = Static<typeof TwoFactorRule>;
export type TwoFactorState = TwoFactorRule & {
  /** People who would have to set one up. */
  without: number;
  may_change: boolean;
};
