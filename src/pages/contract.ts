import { type Static, Type } from 'typebox';
import { ONE_LINE } from '../kit/one-line-contract.ts';

export const URGENCIES = ['low', 'medium', 'high'] as const;
export type Urgency = (typeof URGENCIES)[number];

export const PAGE_STATES = ['notifying', 'acknowledged', 'resolved', 'expired'] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** How long an acknowledgement or a resolution can be undone by the person who gave it. */
export const UNDO_SECONDS = 30;

const fields = {
  title: Type.String({
    minLength: 1,
    maxLength: 200,
    ...ONE_LINE,
    description: 'Short summary of the reason for the page.',
  }),
  text: Type.String({
    minLength: 1,
    maxLength: 10_000,
    format: 'text',
    description: 'Full body of the page, with the details needed to address the issue.',
  }),
  source_url: Type.Optional(
    Type.String({
      format: 'http-url',
      description: 'Shown to the person for more information; commonly a link to the alert.',
    }),
  ),
};

const urgency = (fallback: Urgency) =>
  Type.Optional(Type.Enum([...URGENCIES], { type: 'string', default: fallback }));

export const TeamPageBody = Type.Object(
  {
    recipient: Type.String({
      minLength: 1,
      maxLength: 100,
      format: 'text',
      description: "The team's slug, found on the team's settings page.",
    }),
    ...fields,
    urgency: urgency('medium'),
  },
  { $id: 'TeamPage' },
);

export const PersonPageBody = Type.Object(
  {
    recipient: Type.String({
      minLength: 1,
      maxLength: 320,
      format: 'text',
      description: "The person's email address.",
    }),
    ...fields,
    urgency: urgency('high'),
  },
  { $id: 'PersonPage' },
);

export type PageBody = Static<typeof TeamPageBody>;
export const PAGE_FIELDS = Object.keys(TeamPageBody.properties);
