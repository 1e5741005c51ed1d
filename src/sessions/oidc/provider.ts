import type { Configuration } from 'openid-client';
import { createGuardedFetch, type GuardedFetch } from '../../kit/fetch-text.ts';
import { oneLine } from '../../kit/one-line.ts';

/** The settings of the organization's identity provider. */
export type OidcSettings = {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Domains whose addresses may sign in this way; empty allows all. */
  emailDomains: readonly string[];
};

/** The provider's information about a person. */
export type Identity = {
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string;
};

/** The data that we store until the browser returns from the provider. */
export type Departure = { state: string; nonce: string; verifier: string };

export type Provider = {
  /** Where to send the browser, and what to store until it returns. */
  depart(): Promise<{ url: URL; departure: Departure }>;
  /** The identity that returned to this URL. Throws if the provider's answer cannot be verified. */
  identify(returned: URL, departure: Departure): Promise<Identity>;
};

const PATIENCE_SECONDS = 10;
/** Even a long list of a provider's keys with certificates is far smaller. */
const MOST_BYTES = 1024 * 1024;

/**
 * Calls the provider. The operator configured the issuer, so it may be in a private network. All other addresses come from
 * the provider's metadata and must be public unless `ALLOW_PRIVATE_WEBHOOKS` is set.
 */
function fetchFrom(issuer: URL, allowPrivate: boolean): GuardedFetch {
  return createGuardedFetch((url) => ({
    deadlineMs: PATIENCE_SECONDS * 1_000,
    mostBytes: MOST_BYTES,
    allowPrivate: allowPrivate || url.origin === issuer.origin,
  }));
}

/** OpenID Connect's code flow with state, nonce and PKCE. The provider's metadata is read once. */
export function createProvider(
  settings: OidcSettings,
  { publicUrl, allowPrivateWebhooks }: { publicUrl: string; allowPrivateWebhooks: boolean },
): Provider {
  const redirect_uri = `${publicUrl}/oidc/callback`;
  let known: Promise<Configuration> | null = null;

  function discover(): Promise<Configuration> {
    known ??= discoverProvider(settings, allowPrivateWebhooks).catch((error: unknown) => {
      // The provider may answer the next time.
      known = null;
      throw error;
    });
    return known;
  }

  return {
    async depart() {
      const client = await import('openid-client');
      const configuration = await discover();
      const departure = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: 'openid email profile',
        state: departure.state,
        nonce: departure.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(departure.verifier),
        code_challenge_method: 'S256',
      });
      return { url, departure };
    },

    async identify(returned, { state, nonce, verifier }) {
      const client = await import('openid-client');
      const configuration = await discover();
      const tokens = await client.authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no identity');
      const told =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      const email = typeof told.email === 'string' ? told.email : '';
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email,
        emailVerified: told.email_verified === true,
        name: (typeof told.name === 'string' && oneLine(told.name).trim().slice(0, 200)) || email,
      };
    },
  };
}

async function discoverProvider(settings: OidcSettings, allowPrivate: boolean): Promise<Configuration> {
  const client = await import('openid-client');
  const issuer = new URL(settings.issuer);
  const execute = issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const configuration = await client.discovery(
    issuer,
    settings.clientId,
    undefined,
    client.ClientSecretPost(settings.clientSecret),
    { execute, timeout: PATIENCE_SECONDS, [client.customFetch]: fetchFrom(issuer, allowPrivate) },
  );
  configuration.timeout = PATIENCE_SECONDS;
  // By default the library trusts the connection, and a proxy could then forge identities.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}
