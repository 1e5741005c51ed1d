import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import { sessionCookie } from './session.ts';

const PURPOSE = 'known-device';

/** Longer than a session, so that it outlives weeks without signing in. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;

function cookieOf(publicUrl: string) {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-device`, options: { ...options, maxAge: LIFETIME_SECONDS } };
}

/**
 * Sets a cookie that marks this browser as one in which the person has signed in. It grants no access. It only gives
 * the person a separate limit of attempts, so that a stranger who guesses passwords cannot lock them out.
 */
export function rememberDevice(
  { sealing, config }: { sealing: Sealing; config: { publicUrl: string } },
  userId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  if (knownDevice({ sealing, config }, [userId], request)) return;
  const { name, options } = cookieOf(config.publicUrl);
  const content = `${randomToken()}.${ownerOf(userId)}`;
  reply.setCookie(name, `${content}.${sealing.sign(PURPOSE, content)}`, options);
}

/** The name of this browser if one of these people has signed in with it before, otherwise null. */
export function knownDevice(
  { sealing, config }: { sealing: Sealing; config: { publicUrl: string } },
  userIds: readonly string[],
  request: FastifyRequest,
): string | null {
  const [device = '', owner = '', signature = ''] =
    request.cookies[cookieOf(config.publicUrl).name]?.split('.') ?? [];
  if (!sealing.verify(PURPOSE, `${device}.${owner}`, signature)) return null;
  return userIds.some((id) => ownerOf(id) === owner) ? device : null;
}

function ownerOf(userId: string): string {
  return sha256(userId).toString('base64url').slice(0, 22);
}
