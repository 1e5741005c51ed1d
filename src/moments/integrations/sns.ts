import { verify } from 'node:crypto';
import { stored } from '../../language/contract.ts';
import { httpUrlOrNull } from '../event.ts';
import type { CertifiedText } from './adapter.ts';
import { type JsonObject, textField } from './payload.ts';

/** Only Amazon's own SNS hosts are called, because the URL comes from an unauthenticated body. */
const HOST = /^sns\.[a-z0-9-]{3,40}\.amazonaws\.com(?:\.cn)?$/;

/** The fields that Amazon SNS signs, for each type of call, in this order. Missing fields are left out. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    ...['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  ],
};

/** The form of Amazon's certificate file names. */
const CERTIFICATE = /^\/SimpleNotificationService-[0-9a-f]{1,64}\.pem$/i;

/** Whether a URL belongs to Amazon SNS: https, without credentials and without a port. */
export function isSnsUrl(text: string | null): boolean {
  const url = httpUrlOrNull(text);
  if (url === null) return false;
  const { protocol, hostname, port, username, password } = new URL(url);
  return protocol === 'https:' && HOST.test(hostname) && !port && !username && !password;
}

export function isCertificateUrl(text: string | null): boolean {
  return isSnsUrl(text) && CERTIFICATE.test(new URL(text ?? '').pathname);
}

/** The signature of a call, to be verified with the certificate at `certificateUrl`, or the problem with it. */
export function snsSignature(call: JsonObject): CertifiedText | { problem: string } {
  const type = textField(call, 'Type') ?? '';
  const signed = Object.hasOwn(SIGNED, type) ? SIGNED[type] : undefined;
  const signature = textField(call, 'Signature');
  const certificateUrl = textField(call, 'SigningCertURL');
  if (!signed || !signature || !certificateUrl) return { problem: stored('it is not signed') };
  if (!isCertificateUrl(certificateUrl))
    return { problem: stored('its certificate is not one of Amazon SNS') };
  return {
    algorithm: textField(call, 'SignatureVersion') === '2' ? 'RSA-SHA256' : 'RSA-SHA1',
    certificateUrl,
    signature,
    signedText: signed.map((name) => signedLine(call, name)).join(''),
  };
}

/** Texts are signed unchanged, including blank ones. */
function signedLine(call: JsonObject, name: string): string {
  const value = Object.hasOwn(call, name) ? call[name] : undefined;
  return typeof value === 'string' ? `${name}\n${value}\n` : '';
}

/** `certificate` is PEM. Never throws: an invalid certificate or signature returns false. */
export function isSignedBy(
  { algorithm, signature, signedText }: Pick<CertifiedText, 'algorithm' | 'signature' | 'signedText'>,
  certificate: string,
): boolean {
  try {
    return verify(algorithm, Buffer.from(signedText), certificate, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
