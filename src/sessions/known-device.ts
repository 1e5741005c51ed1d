import type { FastifyReply, FastifyRequest } from 'fastify';
import { randomToken, type Sealing, sha256 } from '../kit/sealing.ts';
import { sessionCookie } from './session.ts';

const PURPOSE = 'known-device';

/** Longer than a session, so that somebody who was signed out for weeks still has it. */
const LIFETIME_SECONDS = 400 * 24 * 60 * 60;

function cookieOf(publicUrl: string) {
  const { name, options } = sessionCookie(publicUrl);
  return { name: `${name}-device`, options: { ...options, maxAge: LIFETIME_SECONDS } };
}

/**
 * Leaves a sign in this browser that its person has signed in here. It opens nothing: it only gives them tries at their
 * password of their own, so that a stranger who guesses cannot keep them out.
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

/** The name of this browser where one of these people has signed in with it before, else null. */
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
