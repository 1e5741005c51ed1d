import { randomToken, type Sealing, sha256 } from '../../kit/sealing.ts';

/** The token follows this path as a fragment, which browsers do not send. */
const PATH = '/invitation';

export type InvitationToken = { token: string; hash: Buffer; sealed: Buffer };

export function newInvitationToken(sealing: Sealing): InvitationToken {
  const token = randomToken();
  return { token, hash: sha256(token), sealed: sealing.seal(token) };
}

/** The link that the inviter promised to hand over in person. */
export function handedInvitationUrl(publicUrl: string, token: string, sealing: Sealing): string {
  return `${publicUrl}${PATH}#${token}.${sealing.sign('invitation by hand', token)}`;
}

/** The link in the email. Using it proves that the address is theirs. */
export function mailedInvitationUrl(publicUrl: string, token: string, sealing: Sealing): string {
  return `${publicUrl}${PATH}#${token}.${sealing.sign('invitation by mail', token)}`;
}

/** `proof`: how the person got the link; null if nothing shows that it is for them. */
export function readInvitationToken(
  sealing: Sealing,
  given: string,
): { hash: Buffer; proof: 'mail' | 'hand' | null } {
  const [token = '', signature = ''] = given.split('.', 2);
  const hash = sha256(token);
  if (sealing.verify('invitation by mail', token, signature)) return { hash, proof: 'mail' };
  return { hash, proof: sealing.verify('invitation by hand', token, signature) ? 'hand' : null };
}
