import { createDecipheriv, type createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto';

/** The browser's keys of a push subscription. */
export type BrowserKeys = { ecdh: ReturnType<typeof createECDH>; auth: Buffer };

/** Decrypts a message as a browser does: RFC 8291 over one record of RFC 8188's aes128gcm. */
export function decryptPush(body: Buffer, keys: BrowserKeys): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const shared = keys.ecdh.computeSecret(senderKey);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), keys.ecdh.getPublicKey(), senderKey]);
  const secret = derive(shared, keys.auth, keyInfo, 32);
  const contentKey = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', contentKey, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/** The problem of a VAPID header (RFC 8292); null when it is signed by `publicKey` for `audience`. */
export function vapidProblem(header: string | undefined, publicKey: string, audience: string): string | null {
  const match = /^vapid t=([^,]+), k=([^,]+)$/.exec(header ?? '');
  if (!match) return 'there is no VAPID authorization';
  const [, token = '', key = ''] = match;
  if (key !== publicKey) return 'the VAPID key is not ours';
  const [head = '', claims = '', signature = ''] = token.split('.');
  const signed = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: jwk(publicKey), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!signed) return 'the VAPID token is not signed by its key';
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  if (aud !== audience) return `the VAPID token is for ${String(aud)}`;
  const seconds = Number(exp) - Date.now() / 1000;
  if (!(seconds > 0 && seconds <= 86_400)) return 'the VAPID token does not expire within a day';
  return typeof sub === 'string' && sub ? null : 'the VAPID token names no contact';
}

function jwk(publicKey: string) {
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' });
}
