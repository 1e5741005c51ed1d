import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ChannelName, MethodType, Urgency } from './contract.ts';

/** What the dashboard reads and sends about notification rules. */

const RuleBody = Type.Object({
  after_minutes: Type.Number({ minimum: 0, maximum: 1_440 }),
  channels: Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 }),
});
/** Rules of one urgency. */
export const MOST_RULES = 50;
export const RulesBody = Type.Object({ rules: Type.Array(RuleBody, { maxItems: MOST_RULES }) });
export type RulesBody = Static<typeof RulesBody>;

export const RuleShown = Type.Object({
  after_minutes: Type.Number(),
  channels: Type.Array(ChannelName),
});
export type RuleShown = Static<typeof RuleShown>;

/** One notification that would be sent. Times count from the start of the person's turn. */
export const PlannedShown = Type.Object({
  after_minutes: Type.Number(),
  channel: ChannelName,
  method: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        type: MethodType,
        value: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'The contact method; null for the open dashboard.' },
  ),
  obstacle: Type.Union([Type.String(), Type.Null()], {
    description: 'Why nothing can be sent through it at the moment; null if something can.',
  }),
});
export type PlannedShown = Static<typeof PlannedShown>;

export const UrgencyRules = Type.Object({
  urgency: Urgency,
  own: Type.Boolean({
    description: 'Whether the person has rules of their own; otherwise, these are the defaults.',
  }),
  rules: Type.Array(RuleShown),
  plan: Type.Array(PlannedShown, {
    description: 'The notifications that a page of this urgency sends, in order.',
  }),
  warnings: Type.Array(
    Type.Object({
      rule: Type.Union([Type.Number(), Type.Null()]),
      message: Type.String(),
    }),
    {
      description:
        'The warnings about these rules, as sentences. `rule` is the position of the rule in `rules`, or null if the warning is about all of them.',
    },
  ),
});
export type UrgencyRules = Static<typeof UrgencyRules>;

/** The most urgent first. */
export const RulesShown = Type.Object({
  urgencies: Type.Array(UrgencyRules),
});
export type RulesShown = Static<typeof RulesShown>;

const OfUrgency = Type.Object({ urgency: Urgency });

export const rulesApi = {
  list: endpoint('GET /api/notification-rules', {
    summary: 'Show your notification rules, and what a page would send',
    response: RulesShown,
  }),
  replace: endpoint('PUT /api/notification-rules/:urgency', {
    summary: 'Replace your notification rules of one urgency',
    params: OfUrgency,
    body: RulesBody,
    response: RulesShown,
  }),
  reset: endpoint('DELETE /api/notification-rules/:urgency', {
    summary: 'Return to the default rules of one urgency',
    params: OfUrgency,
    response: RulesShown,
  }),
};
