import { type Static, Type } from 'typebox';
import type { SignInMethod } from './contract.ts';

/** What the dashboard reads and sends to let people in. Times are ISO 8601 in UTC. */

/** How one can come in here. */
export type WaysIn = {
  /** No user exists yet: the person who started the service creates the owner. */
  empty: boolean;
  passkey: boolean;
  /** What the organization's own identity provider is called; null without one. */
  oidc: string | null;
  /** A forgotten password can be replaced by email. */
  reset: boolean;
};

const Email = Type.String({ minLength: 1, maxLength: 320, format: 'text' });
const Password = Type.String({ maxLength: 1_000 });
const Token = Type.String({ minLength: 1, maxLength: 200 });
/** What the browser's own functions for passkeys gave; checked by the library that reads it. */
const BrowserAnswer = Type.Object({}, { additionalProperties: true });

export const PasswordSignIn = Type.Object({ email: Email, password: Password });
export type PasswordSignIn = Static<typeof PasswordSignIn>;
export const CodeSignIn = Type.Object({ ticket: Token, code: Type.String({ maxLength: 100 }) });
export type CodeSignIn = Static<typeof CodeSignIn>;
export const PasskeyAnswer = Type.Object({ answer: BrowserAnswer });
export const Forgotten = Type.Object({ email: Email });
export const NewPassword = Type.Object({ token: Token, password: Password });
export type NewPassword = Static<typeof NewPassword>;

/** Either in, or asked for a code as well: `ticket` goes back with it, within ten minutes. */
export type SignInAnswer = { signed_in: true } | { signed_in: false; ticket: string };

/** One of: the password, a code of the app or for recovery, a passkey. */
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
  /** Signed in by the organization's identity provider before. */
  oidc: boolean;
  /** The organization asks everybody for a second factor. */
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
  /** The one that asks. */
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

/** What an authenticator app needs; `token` goes back with its first code. */
export type CodesBegun = { secret: string; uri: string; token: string };
export type RecoveryCodes = { recovery_codes: string[] };

/** Whether the organization asks everybody for a second factor; only owners say so. */
export const TwoFactorRule = Type.Object({ required: Type.Boolean() });
export type TwoFactorRule = Static<typeof TwoFactorRule>;
export type TwoFactorState = TwoFactorRule & {
  /** People who would have to set one up. */
  without: number;
  may_change: boolean;
};
