import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { PUBLISHED, TIME, URL_TEXT } from '../kit/published-contract.ts';
import { MOMENT_STATES, MOMENT_TYPES, PRIORITIES } from './kinds-contract.ts';

export * from './kinds-contract.ts';

const typeWords = {
  description:
    'The type of the moment, in upper or lower case; `near_miss` is the same as `near-miss`. A moment of type `page` pages nobody.',
};
const type = Type.Enum(MOMENT_TYPES, typeWords);
/** The interface writes them with capitals here and in lower case in the webhook form. Both accept any case. */
const anyCase = {
  enum: undefined,
  type: 'string',
  pattern: `^(${MOMENT_TYPES.join('|')
    .replace(/[a-z]/g, (one) => `[${one.toUpperCase()}${one}]`)
    .replace('-', '[-_]')})$`,
  examples: ['Alert', 'Incident', 'Near-miss', 'Page'],
};
const description = Type.Optional(
  Type.String({ format: 'optional-text', description: 'A longer description, in Markdown.' }),
);

/** Body of the API form: `POST /moment/<token>` with an Authorization header. */
export const ApiMoment = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 255, ...ONE_LINE }),
    type: Type.Enum(MOMENT_TYPES, { ...typeWords, [PUBLISHED]: anyCase }),
    description,
    priority: Type.Optional(Type.Enum(PRIORITIES, { default: 'medium' })),
  },
  { title: 'ApiMoment' },
);
export type ApiMoment = Static<typeof ApiMoment>;

/** Body of the webhook form: `POST /moment/<token>` without an Authorization header. */
export const CustomMoment = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 70, ...ONE_LINE }),
    type,
    source: Type.Optional(
      Type.String({
        maxLength: 1_000,
        format: 'optional-text',
        description: 'Name of the originating system.',
      }),
    ),
    source_url: Type.Optional(
      Type.String({ format: 'http-url', description: 'Reference URL of the source of the moment.' }),
    ),
    description,
    occurred_at: Type.Optional(
      Type.String({
        format: 'instant',
        description: 'When the moment happened, not later than now. The current time when absent.',
      }),
    ),
    dedup_key: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        ...ONE_LINE,
        description: 'The key that calls of one webhook share when they are about the same moment.',
      }),
    ),
    state: Type.Optional(
      Type.Enum(MOMENT_STATES, {
        default: 'open',
        description:
          'The state, in upper or lower case. Any state but `open` needs a `dedup_key`, which identifies the moment.',
      }),
    ),
  },
  { title: 'CustomMoment' },
);
export type CustomMoment = Static<typeof CustomMoment>;

/** A moment as the status of its request shows it. */
export const StatusMoment = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: Type.Enum(MOMENT_TYPES),
    source: Type.Union([Type.String(), Type.Null()]),
    source_url: Type.Union([Type.String(URL_TEXT), Type.Null()]),
    occurred_at: Type.String(TIME),
    priority: Type.Enum(PRIORITIES),
    state: Type.Enum(MOMENT_STATES),
  },
  { title: 'Moment' },
);
export type StatusMoment = Static<typeof StatusMoment>;
