import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type FakeOidc = {
  issuer: string;
  env: Record<string, string>;
  /** Claims of the next person who signs in. */
  claims: Record<string, unknown>;
  /** An error that the provider makes; null: none. */
  /** `kept code`: it accepts a code again. */
  fault: 'nonce' | 'signature' | 'kept code' | null;
  /** Endpoints that the discovery document lists elsewhere than at the issuer. */
  elsewhere: Partial<Record<'jwks_uri' | 'token_endpoint' | 'userinfo_endpoint', string>>;
  stop(): Promise<void>;
};

type Begun = { nonce: string; challenge: string };

/** An identity provider at which everybody is already signed in. It validates requests as a real one must. */
export async function fakeOidc(): Promise<FakeOidc> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const begun = new Map<string, Begun>();
  const server = createServer((request, response) => {
    answer(request)
      .then(({ status, headers, body }) => response.writeHead(status, headers).end(body))
      .catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeOidc = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'tocsin', OIDC_CLIENT_SECRET: 'secret', OIDC_NAME: 'Acme' },
    claims: {},
    fault: null,
    elsewhere: {},
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };

  async function answer(request: IncomingMessage) {
    const url = new URL(request.url ?? '/', issuer);
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        ...fake.elsewhere,
      });
    if (url.pathname === '/keys')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/authorize') return authorize(url.searchParams);
    if (url.pathname === '/token') return token(new URLSearchParams(await text(request)));
    return { status: 404, headers: {}, body: '' };
  }

  function authorize(asked: URLSearchParams) {
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('no PKCE');
    const code = `code-${begun.size}`;
    begun.set(code, { nonce: asked.get('nonce') ?? '', challenge: asked.get('code_challenge') ?? '' });
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', asked.get('state') ?? '');
    return { status: 302, headers: { location: back.href }, body: '' };
  }

  function token(given: URLSearchParams) {
    const code = given.get('code') ?? '';
    const known = begun.get(code);
    if (fake.fault !== 'kept code') begun.delete(code);
    const challenge = createHash('sha256')
      .update(given.get('code_verifier') ?? '')
      .digest('base64url');
    if (!known || known.challenge !== challenge || given.get('client_secret') !== 'secret')
      return { status: 400, headers: JSON_TYPE, body: JSON.stringify({ error: 'invalid_grant' }) };
    const now = Math.floor(Date.now() / 1_000);
    const nonce = fake.fault === 'nonce' ? 'another' : known.nonce;
    const claims = { iss: issuer, aud: 'tocsin', iat: now, exp: now + 300, nonce, ...fake.claims };
    return json({ access_token: 'a', token_type: 'Bearer', id_token: signed(claims) });
  }

  function signed(claims: object): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const head = `${part({ alg: 'RS256', kid: '1' })}.${part(claims)}`;
    const key = fake.fault === 'signature' ? other.privateKey : privateKey;
    return `${head}.${sign('RSA-SHA256', Buffer.from(head), key).toString('base64url')}`;
  }

  return fake;
}

const JSON_TYPE = { 'content-type': 'application/json' };

function json(value: object) {
  return { status: 200, headers: JSON_TYPE, body: JSON.stringify(value) };
}
