import { randomToken, sha256 } from '../kit/sealing.ts';

/** A session ends after this time, even if it is in use. */
export const SESSION_LIFETIME = Temporal.Duration.from({ hours: 30 * 24 });

/** A session's token goes into the cookie; only its hash is stored. */
export function newSessionToken(): { token: string; hash: Buffer } {
  const token = randomToken();
  return { token, hash: sha256(token) };
}

export type Cookie = {
  name: string;
  options: {
    path: '/';
    httpOnly: true;
    sameSite: 'lax';
    secure: boolean;
    /** Seconds. */
    maxAge: number;
  };
};

/**
 * The session cookie of this installation. With HTTPS its name has a prefix with which browsers guarantee that no other
 * host and no plain connection has set it.
 */
export function sessionCookie(publicUrl: string): Cookie {
  const secure = publicUrl.startsWith('https:');
  return {
    name: secure ? '__Host-tocsin' : 'tocsin',
    options: {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      maxAge: SESSION_LIFETIME.total('seconds'),
    },
  };
}

/** Whether a request has a session cookie, whichever this installation sets; it may have ended. */
export function hasSessionCookie(cookies: Readonly<Record<string, string | undefined>>): boolean {
  return ['https://', 'http://'].some((url) => cookies[sessionCookie(url).name] !== undefined);
}
