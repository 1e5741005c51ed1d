import { ConfigError, type Read, readTogether, readUrl } from '../kit/setting.ts';

/** The organization's identity provider, through OpenID Connect. */
export type OidcSettings = {
  /** As the provider writes it, starting with `https`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** The name on the button: "Continue with …". */
  name: string;
  /** In lower case; empty: email addresses of any domain may sign in. */
  emailDomains: string[];
};

export const OIDC_NAMES = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'OIDC_EMAIL_DOMAINS',
] as const;
type Name = (typeof OIDC_NAMES)[number];

export function readOidc(read: Read<Name>): OidcSettings | null {
  const given = readTogether(read, ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']);
  if (!given) return null;
  readUrl('OIDC_ISSUER', read, ['https:', 'http:']);
  return {
    issuer: safeIssuer(given.OIDC_ISSUER),
    clientId: given.OIDC_CLIENT_ID,
    clientSecret: given.OIDC_CLIENT_SECRET,
    name: read('OIDC_NAME') ?? 'your organization',
    emailDomains: (read('OIDC_EMAIL_DOMAINS') ?? '')
      .split(/[\s,]+/)
      .filter(Boolean)
      .map(domain),
  };
}

/** The provider's answers decide who signs in, so they must be encrypted, except on this machine. */
function safeIssuer(issuer: string): string {
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname)) return issuer;
  throw new ConfigError(
    `OIDC_ISSUER is ${issuer}, without HTTPS; give the address of the provider with https`,
  );
}

function domain(text: string): string {
  const plain = text.replace(/^@/, '').toLowerCase();
  if (/^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+$/u.test(plain)) return plain;
  throw new ConfigError(
    `OIDC_EMAIL_DOMAINS has ${JSON.stringify(text)}; give domains such as example.com, with commas between them`,
  );
}
