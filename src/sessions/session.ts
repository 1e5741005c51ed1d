import { randomToken, sha256 } from '../kit/sealing.ts';

/** However often it is used, a session ends this long after it began. */
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
 * The cookie of this installation's sessions. Under HTTPS the browser itself vouches, by the prefix of the name, that
 * no other host and no plain connection could have set it.
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
