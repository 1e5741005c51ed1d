import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { ChannelName, Person } from '../people/contract.ts';
import { ProviderName } from './channels/providers-contract.ts';

/** The dashboard's API for the providers of email, SMS, calls and chat. */

const Values = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 500 }), {
  maxProperties: 20,
});

export const Provider = Type.Object({
  name: ProviderName,
  channels: Type.Array(ChannelName, { description: 'The channels that need it.' }),
  set_by: Type.Union([Type.Enum(['environment', 'dashboard'], { type: 'string' }), Type.Null()], {
    description: 'Where it is set up; null if it is not. The environment wins over the dashboard.',
  }),
  values: Type.Unsafe<Partial<Record<string, string>>>(
    Type.Record(Type.String(), Type.String(), { description: 'Its settings without secrets, by field.' }),
  ),
  secrets: Type.Array(Type.String(), { description: 'The fields whose secrets are stored.' }),
  variables: Type.Array(Type.String(), {
    description: 'The environment variables that set it, if it is set there.',
  }),
  changed_at: Type.Union([Type.String(TIME), Type.Null()]),
  changed_by: Type.Union([Person, Type.Null()]),
});
export type Provider = Static<typeof Provider>;

const Providers = Type.Object({
  public_url: Type.String({ description: 'The address of the service that providers call.' }),
  locked: Type.Union([Type.String(), Type.Null()], {
    description: 'A sentence why providers cannot be set up in the dashboard; null if they can.',
  }),
  providers: Type.Array(Provider),
});
export type Providers = Static<typeof Providers>;

const ProviderCheck = Type.Object({
  works: Type.Boolean(),
  error: Type.Union([Type.String(), Type.Null()]),
  fix: Type.Union([Type.String(), Type.Null()]),
});
export type ProviderCheck = Static<typeof ProviderCheck>;

export const providersApi = {
  list: endpoint('GET /api/providers', {
    summary: 'List the providers and where each is set up',
    response: Providers,
  }),
  change: endpoint('PUT /api/providers/:name', {
    summary: 'Set up a provider',
    description:
      'Signs in to the provider first, and stores nothing if that fails, unless `check` is false. Secrets that are left out are kept.',
    body: Type.Object({
      values: Values,
      check: Type.Boolean({ default: true, description: 'Whether to sign in to the provider first.' }),
    }),
    response: Provider,
  }),
  check: endpoint('POST /api/providers/:name/check', {
    summary: 'Sign in to a provider with its current settings',
    response: ProviderCheck,
  }),
  remove: endpoint('DELETE /api/providers/:name', {
    summary: 'Remove what the dashboard stored of a provider',
    response: Provider,
  }),
};
