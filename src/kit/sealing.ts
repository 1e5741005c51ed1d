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
 * Encrypts secrets at rest and signs links. A key for each purpose is derived from one master key (32 bytes), so that a
 * signed link cannot be used for another purpose.
 */
export type Sealing = {
  /** Encrypts with AES-256-GCM; returns nonce, tag and ciphertext. */
  seal(text: string): Buffer;
  /** @throws Error if the bytes were encrypted with another key or modified since */
  open(sealed: Buffer): string;
  /** A 128-bit tag over `text` for one purpose, URL-safe. */
  sign(purpose: string, text: string): string;
  verify(purpose: string, text: string, signature: string): boolean;
  /** An HMAC for one purpose, for content that is too large to hold in memory. */
  authenticate(purpose: string): Hmac;
};

export function createSealing(masterKey: Buffer): Sealing {
  if (masterKey.length !== 32) throw new Error('the secret key must have 32 bytes');
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', masterKey, 'tocsin', purpose, 32));
  const sealingKey = derive('sealing');
  const signingKeys = new Map<string, Buffer>();
  // Caches derived keys: deriving one costs more than a signature, and there are few purposes.
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
      // Compares the text, because several texts decode to the same bytes.
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
