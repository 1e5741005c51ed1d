import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  type Hmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/**
 * Secrets at rest and signed links. One master key (32 bytes) gives a key for each purpose, so that a link can
 * never be replayed as something else.
 */
export type Sealing = {
  /** AES-256-GCM: nonce, tag, ciphertext. */
  seal(text: string): Buffer;
  /** Throws when the bytes were sealed by another key or changed since. */
  open(sealed: Buffer): string;
  /** 128-bit tag over `text` for one purpose, URL-safe. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  /** An HMAC over what is too long to hold at once, for one purpose. */
  authenticate(purpose: string): Hmac;
};

export function createSealing(masterKey: Buffer): Sealing {
  if (masterKey.length !== 32) throw new Error('the secret key must have 32 bytes');
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, 'tocsin', purpose, 32));
  const sealingKey = derive('sealing');
  const signingKeys = new Map<string, Buffer>();
  // Purposes are few and fixed; deriving a key for each signature would cost more than the signature.
  const signingKey = (purpose: string) => {
    const key = signingKeys.get(purpose) ?? derive(`signing:${purpose}`);
    signingKeys.set(purpose, key);
    return key;
  };
  const tag = (purpose: string, text: string) => {
    const digest = createHmac('sha256', signingKey(purpose)).update(text).digest();
    return digest.subarray(0, 16).toString('base64url');
  };
  return {
    seal(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', sealingKey, nonce);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      const decipher = createDecipheriv('aes-256-gcm', sealingKey, sealed.subarray(0, 12));
      decipher.setAuthTag(sealed.subarray(12, 28));
      return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString('utf8');
    },
    sign: tag,
    verify(purpose, text, signature) {
      // Compared as text: bytes would let several ways of writing one signature pass.
      const [given, right] = [Buffer.from(signature), Buffer.from(tag(purpose, text))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
    authenticate: (purpose) => createHmac('sha256', derive(`authentication:${purpose}`)),
  };
}

export function sha256(data: string | Uint8Array): Buffer {
  return createHash('sha256').update(data).digest();
}

/** A token of 256 random bits, URL-safe. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
