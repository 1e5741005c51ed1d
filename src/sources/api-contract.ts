import { type Static, Type } from 'typebox';
import type { WebhookShown } from '../webhooks/api-contract.ts';
import { RotationBody } from '../webhooks/api-contract.ts';
import type { SourceSettings } from './contract.ts';

/** What programs and the dashboard read and send about page sources. Times are ISO 8601 in UTC. */

/** Checked by `sourceProblems`, which names what was meant by an unknown setting. */
const Settings = Type.Object({}, { additionalProperties: true, description: 'The settings of the source.' });
const Name = Type.String({ maxLength: 1_000, 'x-one-line': true });
/** Checked by `sourceProblems`, because it belongs to heartbeats alone. */
const IntervalMinutes = Type.Number({ description: 'How often a heartbeat has to call.' });
const Key = Type.String({
  minLength: 1,
  maxLength: 1_000,
  description: 'The key of the system that the source replaces, so that its senders keep it.',
});

export const NewSourceBody = Type.Object({
  team: Type.String({ minLength: 1, maxLength: 200, format: 'text', description: "The team's slug or id." }),
  name: Name,
  type: Type.String({ maxLength: 100 }),
  key: Type.Optional(Key),
  expires_at: Type.Optional(Type.String({ format: 'instant' })),
  signing_secret: Type.Optional(Type.String({ maxLength: 1_000 })),
  interval_minutes: Type.Optional(IntervalMinutes),
  settings: Type.Optional(Settings),
});
export type NewSourceBody = Static<typeof NewSourceBody>;

/** A missing field stays unchanged; null removes its value. */
export const SourceChangeBody = Type.Object({
  name: Type.Optional(Name),
  expires_at: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'instant' })),
  signing_secret: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: 1_000,
      description: 'a secret, or null for none',
    }),
  ),
  interval_minutes: Type.Optional(IntervalMinutes),
  settings: Type.Optional(Settings),
});
export type SourceChangeBody = Static<typeof SourceChangeBody>;

export const SourceRotationBody = Type.Object({ ...RotationBody.properties, key: Type.Optional(Key) });
export type SourceRotationBody = Static<typeof SourceRotationBody>;

export type SourceShown = Omit<WebhookShown, 'settings'> & {
  settings: SourceSettings;
  /** The last characters of the key; null for types without one. */
  key_last4: string | null;
  /** How often a heartbeat has to call; null for all other types. */
  interval_minutes: number | null;
  /** How a heartbeat is; null for all other types. */
  heartbeat: Heartbeat | null;
};

/** `waiting`: for the first call, and pages nobody until then. */
export type Heartbeat = {
  state: 'waiting' | 'on_time' | 'late';
  last_call_at: string | null;
  late_since: string | null;
  /** When the next call is due; null before the first one. */
  due_at: string | null;
};

/** One source. `signing_secret` is null unless the viewer may read the URL. */
export type SourceDetail = SourceShown & { signing_secret: string | null };

/** A source that was just created or rotated: its URL, or the key of a dialect, which is shown this once. */
export type SourceMade = SourceDetail & { key: string | null };
