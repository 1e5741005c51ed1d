import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { LanguageName } from '../people/person-contract.ts';
import { SignedIn } from '../sessions/api-contract.ts';

/** The dashboard's request to make the first owner. */
const FirstOwner = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  name: Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE }),
  email: Type.String({ minLength: 1, maxLength: 320, format: 'text' }),
  organization: Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE }),
  time_zone: Type.String({ maxLength: 100, format: 'time-zone' }),
  /** Of the organization: messages to people who chose no language are in it. English without it. */
  language: Type.Optional(LanguageName),
  /** Without it, they create a passkey afterwards. */
  password: Type.Optional(Type.String({ maxLength: 1_000 })),
});
export type FirstOwner = Static<typeof FirstOwner>;

export const firstRunApi = {
  create: endpoint('POST /api/sign-in/first-run', {
    summary: 'Create the first owner of an empty installation',
    description: 'Creates the owner and signs in. Without a password, create a passkey right afterwards.',
    body: FirstOwner,
    response: SignedIn,
  }),
};
