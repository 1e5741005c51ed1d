import { randomToken, type Sealing, sha256 } from '../../kit/sealing.ts';

/** Behind this path the token stands as fragment, which no request carries. */
const PATH = '/invitation';

export type InvitationToken = { token: string; hash: Buffer; sealed: Buffer };

export function newInvitationToken(sealing: Sealing): InvitationToken {
  const token = randomToken();
  return { token, hash: sha256(token), sealed: sealing.seal(token) };
}

/** The link that the inviter hands over in person, and gave their word for. */
export function handedInvitationUrl(publicUrl: string, token: string, sealing: Sealing): string {
  return `${publicUrl}${PATH}#${token}.${sealing.sign('invitation by hand', token)}`;
}

/** The link as it is mailed: whoever uses this one has shown that the address is theirs. */
export function mailedInvitationUrl(publicUrl: string, token: string, sealing: Sealing): string {
  return `${publicUrl}${PATH}#${token}.${sealing.sign('invitation by mail', token)}`;
}

/** `proof`: how the link came to whoever has it; null when nothing shows that it is for them. */
export function readInvitationToken(
  sealing: Sealing,
  given: string,
): { hash: Buffer; proof: 'mail' | 'hand' | null } {
  const [token = '', signature = ''] = given.split('.', 2);
  const hash = sha256(token);
  if (sealing.verify('invitation by mail', token, signature)) return { hash, proof: 'mail' };
  return { hash, proof: sealing.verify('invitation by hand', token, signature) ? 'hand' : null };
}
