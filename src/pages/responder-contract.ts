/** Why a person is notified: on call in a stage, as the backstop, added by hand, … */
export const RESPONDER_KINDS = ['stage', 'backstop', 'person', 'members', 'added', 'expired'] as const;
export type ResponderKind = (typeof RESPONDER_KINDS)[number];
