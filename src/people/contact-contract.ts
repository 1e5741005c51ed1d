import { type Static, Type } from 'typebox';
import { CHANNELS, type ChannelName, type MethodType } from '../notifications/channels/contract.ts';

/** What the dashboard reads and sends about contact methods. Times are ISO 8601 in UTC. */

export const NewMethodBody = Type.Object({
  type: Type.String({ maxLength: 100 }),
  value: Type.String({ maxLength: 5_000 }),
  /** Slack's member id, for chat. */
  chat_user_id: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export type NewMethodBody = Static<typeof NewMethodBody>;

export const MethodChangeBody = Type.Object({ notices: Type.Boolean() });
export type MethodChangeBody = Static<typeof MethodChangeBody>;

/** Every contact method once, in the order in which they shall stand. */
export const MethodOrderBody = Type.Object({
  ids: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 200 }),
});
export type MethodOrderBody = Static<typeof MethodOrderBody>;

export const CodeBody = Type.Object({ code: Type.String({ maxLength: 100 }) });
export type CodeBody = Static<typeof CodeBody>;

/** One of the channels that send to the method; left out: the first that is set up, which for a phone is SMS. */
export const ByBody = Type.Object({ by: Type.Optional(Type.Enum(CHANNELS, { type: 'string' })) });
export type ByBody = Static<typeof ByBody>;

export type MethodShown = {
  id: string;
  type: MethodType;
  /** A push subscription shows the host of its push service. */
  value: string;
  chat_user_id: string | null;
  verified: boolean;
  /** Whether it gets notices as well as pages. */
  notices: boolean;
  /** Why nothing can be sent to it; null when something can. */
  obstacle: string | null;
  /** When its person last typed in a code that was sent there. */
  proved_at: string | null;
  /** When a provider last took over a page for it. */
  reached_at: string | null;
  /** Why the latest page to it failed; null when it did not. */
  failing: { at: string; error: string } | null;
  created_at: string;
};

/** Whether a page for a person would arrive now, and by what. */
export type ReachShown = {
  reachable: boolean;
  /** `dashboard`: only because one is open; null: by nothing. */
  reachable_by: 'contact_method' | 'dashboard' | null;
  /** Why no contact method reaches them, in one sentence; null when one does. */
  why_not: string | null;
};

export type MethodList = ReachShown & {
  contact_methods: MethodShown[];
  /** Channels that are not set up, with the sentence that says what to do. */
  unavailable: Partial<Record<ChannelName, string>>;
};

/** What became of a message: whether the provider took it, and what it said if not. */
export type SentShown = { sent: boolean; error: string | null };

/** A new method, and its code on the way. */
export type AddedMethod = {
  id: string;
  code: SentShown;
  /** For webhooks: signs every call; shown this once. */
  signing_secret: string | null;
};

/** A code has six digits, lives ten minutes and is given up after five tries. */
export const CODE_MINUTES = 10;
export const CODE_TRIES = 5;
