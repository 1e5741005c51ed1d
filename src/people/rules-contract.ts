import { type Static, Type } from 'typebox';
import type { ChannelName, MethodType, Urgency } from './contract.ts';

/** What the dashboard reads and sends about notification rules. */

const RuleBody = Type.Object({
  after_minutes: Type.Number({ minimum: 0, maximum: 1_440 }),
  channels: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
});
/** Rules of one urgency. */
export const MOST_RULES = 50;
export const RulesBody = Type.Object({ rules: Type.Array(RuleBody, { maxItems: MOST_RULES }) });
export type RulesBody = Static<typeof RulesBody>;

export type RuleShown = { after_minutes: number; channels: ChannelName[] };

/** One notification as it would leave, counted from the moment the person is asked. */
export type PlannedShown = {
  after_minutes: number;
  channel: ChannelName;
  /** Null: the open dashboard. */
  method: { id: string; type: MethodType; value: string } | null;
  /** Why nothing would arrive by it just now; null when something would. */
  obstacle: string | null;
};

export type UrgencyRules = {
  urgency: Urgency;
  /** False: the defaults. */
  own: boolean;
  rules: RuleShown[];
  /** What a page of this urgency sends, in order. */
  plan: PlannedShown[];
  /** What the person should know of these rules; sentences. `rule` is its place in `rules`, null: all of them. */
  warnings: { rule: number | null; message: string }[];
};

/** The most urgent first. */
export type RulesShown = { urgencies: UrgencyRules[] };
