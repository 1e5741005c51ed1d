import { type Static, Type } from 'typebox';
import { MOMENT_TYPES, PRIORITIES } from './contract.ts';

const Words = Type.Array(Type.String({ minLength: 1, maxLength: 100, format: 'text' }), { maxItems: 100 });

/** The settings of a webhook for its calls. All of them ignore case. */
export const WebhookSettings = Type.Object(
  {
    type: Type.Optional(
      Type.Enum(MOMENT_TYPES, { description: 'The type of all moments, instead of the integration’s own.' }),
    ),
    priorities: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 100 }), Type.Enum(PRIORITIES), {
        description: "The sender's word for a severity, and the priority that it stands for.",
        maxProperties: 100,
      }),
    ),
    filter: Type.Optional(
      Type.Object(
        {
          labels: Type.Optional(Words),
          types: Type.Optional(Words),
          priorities: Type.Optional(Words),
        },
        {
          additionalProperties: false,
          description: 'The issues of a tracker that become moments: those that match every given list.',
        },
      ),
    ),
    near_miss: Type.Optional(
      Type.Object(
        { labels: Type.Optional(Words), keywords: Type.Optional(Words) },
        {
          additionalProperties: false,
          description:
            'What makes a moment a near miss: one of the labels, or one of the keywords in its name or description.',
        },
      ),
    ),
    topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 300,
        format: 'text',
        description: 'The only SNS topic whose calls are accepted, set when its subscription was confirmed.',
      }),
    ),
  },
  { additionalProperties: false, title: 'WebhookSettings' },
);
export type WebhookSettings = Static<typeof WebhookSettings>;

/** Whether a list contains the word in any case. */
export function hasWord(list: readonly string[] | undefined, word: string | null): boolean {
  const wanted = word?.trim().toLowerCase();
  return !!wanted && (list ?? []).some((entry) => entry.trim().toLowerCase() === wanted);
}
