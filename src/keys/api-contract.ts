import { type Static, Type } from 'typebox';
import { endpoint } from '../kit/endpoint-contract.ts';
import { ONE_LINE } from '../kit/one-line-contract.ts';
import { TIME } from '../kit/published-contract.ts';
import { SCOPES } from './contract.ts';

/** The dashboard's API for the viewer's own API keys. */

const Scopes = Type.Array(Type.Enum([...SCOPES], { type: 'string' }), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: `Some of ${SCOPES.join(', ')}. By default, the key can use the whole public API.`,
});

export const ApiKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: 'The first characters of the key.' }),
  scopes: Type.Union([Scopes, Type.Null()], {
    description: 'The scopes of the key; null if it can use the whole public API.',
  }),
  full: Type.Boolean({ description: 'Whether the key can also use the API of the dashboard.' }),
  expires_at: Type.Union([Type.String(TIME), Type.Null()]),
  last_used_at: Type.Union([Type.String(TIME), Type.Null()]),
  created_at: Type.String(TIME),
});
export type ApiKey = Static<typeof ApiKey>;

export const keysApi = {
  list: endpoint('GET /api/keys', {
    summary: 'List your API keys',
    description: 'Lists them newest first, without those that were revoked.',
    response: Type.Object({ keys: Type.Array(ApiKey) }),
  }),
  create: endpoint('POST /api/keys', {
    summary: 'Create an API key',
    body: Type.Object({
      name: Type.String({ minLength: 1, maxLength: 200, ...ONE_LINE }),
      expires_at: Type.Optional(Type.String({ format: 'instant' })),
      scopes: Type.Optional(Scopes),
      full: Type.Optional(
        Type.Boolean({
          description: 'Whether the key can also use /api, except to create access for anybody.',
        }),
      ),
    }),
    response: Type.Object({
      id: Type.String(),
      key: Type.String({ description: 'The key itself, which is shown only once.' }),
    }),
  }),
  revoke: endpoint('DELETE /api/keys/:id', {
    summary: 'Revoke an API key',
    response: Type.Object({ revoked: Type.Boolean() }),
  }),
};
