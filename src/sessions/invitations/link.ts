import { randomToken, type Sealing, sha256 } from '../../kit/sealing.ts';

/** Behind this path the token stands as fragment, which no request carries. */
const PATH = '/invitation';

export type InvitationToken = { token: string; hash: Buffer; sealed: Buffer };

export function newInvitationToken(sealing: Sealing): InvitationToken {
  const token = randomToken();
  return { token, hash: sha256(token), sealed: sealing.seal(token) };
}

/** The link as it is copied. */
export function invitationUrl(publicUrl: string, token: string): string {
  return `${publicUrl}${PATH}#${token}`;
}

/** The link as it is mailed: whoever uses this one has shown that the address is theirs. */
export function mailedInvitationUrl(publicUrl: string, token: string, sealing: Sealing): string {
  return `${invitationUrl(publicUrl, token)}.${sealing.sign('invitation by mail', token)}`;
}

export function readInvitationToken(sealing: Sealing, given: string): { hash: Buffer; byMail: boolean } {
  const [token = '', proof] = given.split('.', 2);
  const byMail = proof !== undefined && sealing.verify('invitation by mail', token, proof);
  return { hash: sha256(token), byMail };
}
