import { type Static, Type } from 'typebox';
import { commas, t, tIn } from '../language/contract.ts';
import type { Priority } from '../moments/contract.ts';
import { URGENCIES, type Urgency } from '../pages/urgency-contract.ts';

/** Types of sources besides those of the integrations: other products' APIs, and heartbeats. */
export const DIALECTS = [
  'pagerduty-events',
  'opsgenie-api',
  'grafana-oncall',
  'goalert',
  'victorops',
] as const;
export type Dialect = (typeof DIALECTS)[number];
export const HEARTBEAT = 'heartbeat';

/** `none` records the event in the log and pages nobody. */
export const SOURCE_URGENCIES = [...URGENCIES, 'none'] as const;
export type SourceUrgency = (typeof SOURCE_URGENCIES)[number];

/** The longest wait of a rule, in minutes: a day. */
export const MOST_WAIT_MINUTES = 1_440;

/**
 * How many pages of one source may wait at once. Beyond that, a trigger pages at once. This is enough for a window of a
 * large installation; events have at most about 20 kB each.
 */
export const MOST_WAITING = 10_000;

/** The most rules of a source, and the most matchers of one rule. */
export const MOST_RULES = 50;
export const MOST_MATCHERS = 20;

const Minutes = (description: string) =>
  Type.Integer({ minimum: 0, maximum: MOST_WAIT_MINUTES, description });

export const SourceRule = Type.Object(
  {
    match: Type.Array(Type.String({ minLength: 1, maxLength: 500, format: 'text' }), {
      minItems: 1,
      maxItems: MOST_MATCHERS,
      description:
        'One or more of `key=value`, `key!=value` and `key=~regex` (RE2), over labels, severity, title and source, all of which must match.',
    }),
    // biome-ignore lint/suspicious/noThenProperty: the specification names it so, and it is never a function.
    then: Type.Object(
      {
        urgency: Type.Optional(Type.Enum([...SOURCE_URGENCIES], { type: 'string' })),
        team: Type.Optional(
          Type.String({ minLength: 1, maxLength: 100, description: 'The slug of the team to page instead.' }),
        ),
        stage: Type.Optional(
          Type.Number({ description: 'The stage of the schedule with which the page begins.' }),
        ),
        person: Type.Optional(
          Type.String({
            minLength: 3,
            maxLength: 320,
            description: 'The email address of the person to page instead.',
          }),
        ),
        ignore: Type.Optional(
          Type.Boolean({ description: 'Whether to record the event in the log and page nobody.' }),
        ),
        wait_minutes: Type.Optional(Minutes('The minutes after which the event pages, if it is still open.')),
      },
      {
        additionalProperties: false,
        minProperties: 1,
        description: 'At least one of urgency, team, stage, person, ignore and wait_minutes.',
      },
    ),
  },
  { additionalProperties: false, title: 'SourceRule' },
);
export type SourceRule = Static<typeof SourceRule>;

/** The effect of a rule, for timelines and the dashboard: `high, team dba, stage 2, after 5 minutes`. */
export function effectText(then: SourceRule['then']): string {
  const { ignore, urgency, team, person, stage, wait_minutes: minutes } = then;
  const effects = [
    ignore ? tIn('what a rule does', 'ignored') : null,
    urgency === undefined ? null : urgencyName(urgency),
    team === undefined ? null : t('team {team}', { team }),
    person ?? null,
    stage === undefined ? null : t('stage {stage}', { stage }),
    minutes === undefined
      ? null
      : t('after {count, plural, one {# minute} other {# minutes}}', { count: minutes }),
  ];
  return commas(effects.filter((one) => one !== null));
}

function urgencyName(urgency: Urgency | 'none'): string {
  if (urgency === 'none') return tIn('urgency', 'none');
  if (urgency === 'high') return tIn('urgency', 'high');
  return urgency === 'medium' ? tIn('urgency', 'medium') : tIn('urgency', 'low');
}

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-4]):[0-5]\\d$', examples: ['08:00', '24:00'] });

export const SourceHours = Type.Object(
  {
    zone: Type.String({ minLength: 1, maxLength: 100, examples: ['Europe/Berlin'] }),
    /** 1 is Monday. */
    weekly: Type.Array(
      Type.Object(
        {
          days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 }),
          from: TimeOfDay,
          to: TimeOfDay,
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 21, description: 'The hours in which the source pages. Day 1 is Monday.' },
    ),
    outside: Type.Enum(['hold', 'ignore'], {
      type: 'string',
      description:
        'What happens outside of the hours: with `hold`, an event pages when the hours begin, if it is still open; with `ignore`, it pages nobody.',
    }),
  },
  { additionalProperties: false, title: 'SourceHours' },
);
export type SourceHours = Static<typeof SourceHours>;

/** How a source pages; everything has a default. */
export const SourceSettings = Type.Object(
  {
    urgencies: Type.Optional(
      Type.Record(
        Type.String({ minLength: 1, maxLength: 100 }),
        Type.Enum([...SOURCE_URGENCIES], { type: 'string' }),
        {
          maxProperties: 100,
          description:
            "The sender's words for a severity or priority, in upper or lower case, with the urgency that each stands for.",
        },
      ),
    ),
    rules: Type.Optional(
      Type.Array(SourceRule, {
        maxItems: MOST_RULES,
        description: 'The rules, of which the first that matches decides.',
      }),
    ),
    wait_minutes: Type.Optional(
      Minutes('The minutes after which an event pages, if it is still open. 0 by default.'),
    ),
    on_resolve: Type.Optional(Type.Enum(['resolve', 'keep'], { type: 'string', default: 'resolve' })),
    on_acknowledge: Type.Optional(
      Type.Enum(['acknowledge', 'ignore'], { type: 'string', default: 'acknowledge' }),
    ),
    hours: Type.Optional(Type.Union([SourceHours, Type.Null()])),
    record_moments: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether to record a moment as well and link it with the page.',
      }),
    ),
  },
  { additionalProperties: false, title: 'SourceSettings' },
);
export type SourceSettings = Static<typeof SourceSettings>;

/** A change of some settings: a missing one does not change, and null restores its default. */
export type SettingsChange = { [Name in keyof SourceSettings]: SourceSettings[Name] | null };

export type SourceAction = 'trigger' | 'acknowledge' | 'unacknowledge' | 'resolve';

/** One event in a call of a source, made from the event that the type's adapter reads. */
export type SourceEvent = {
  action: SourceAction;
  /** At most 255 characters; null if nothing can follow. */
  dedupKey: string | null;
  /** At most 200 characters, on one line. */
  title: string;
  /** Markdown, at most 10,000 characters. */
  text: string;
  sourceUrl: string | null;
  /** An urgency that the body names itself; it takes precedence over the severity. */
  urgency: Urgency | null;
  /** The sender's word. */
  severity: string | null;
  /** The priority that the type's adapter read from the event, for severities that only the adapter knows. */
  priority?: Priority | null;
  /** `key=value`, `key:value` or a bare tag. */
  labels: readonly string[];
  /** The originating system as the sender names it. */
  source: string | null;
  /** The person who acted, as the sender names them. */
  by: string | null;
  /** False: the sender marked the event as notifying nobody. */
  pages?: false;
  /** It only has the key, so it cannot raise a page. */
  bare?: true;
  /** A trigger that only edits a known problem: it raises no page after a person has resolved the last one. */
  edit?: true;
  occurredAt: Temporal.Instant;
  at: Temporal.Instant;
  /** `at` is exact, and a new problem of the same key is never older than the end of the previous one. */
  inOrder?: boolean;
};

/** The decision of a source's settings about a trigger. */
export type Decision = {
  urgency: SourceUrgency;
  /** The rule that matched: its number from 1, and its text; null if none did. */
  rule: { number: number; text: string } | null;
  /** The reason why the event pages nobody, as a sentence; null if it pages. */
  ignored: string | null;
  /** The slug of the team, or the email address of the person, that a rule names instead of the source's team. */
  team: string | null;
  person: string | null;
  stage: number | null;
  waitMinutes: number;
  /** For the timeline, for example `rule 2: severity=critical → high`. */
  reasons: string[];
};
