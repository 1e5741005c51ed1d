import { stored } from '../language/contract.ts';
import { errorCode, fieldOf, layersOf } from './error-text.ts';

type Words = (where: string) => string;

const DATES: Words = (where) =>
  stored(
    'the certificate of {where} has expired; renew it on that server, and check the date of this machine',
    { where },
  );
const FUTURE: Words = (where) =>
  stored('the certificate of {where} is not valid yet; check the dates of both machines', { where });
const SELF_SIGNED: Words = (where) =>
  stored(
    'the certificate of {where} is self-signed; if that is intended, name its file in NODE_EXTRA_CA_CERTS',
    { where },
  );
const UNKNOWN_AUTHORITY: Words = (where) =>
  stored(
    "the certificate of {where} was issued by an authority that this machine does not trust; name the file of the authority's certificate in NODE_EXTRA_CA_CERTS",
    { where },
  );
const INCOMPLETE: Words = (where) =>
  stored(
    '{where} sends a certificate without a chain to an authority that this machine trusts; install the full chain on that server, or name the file of the missing certificate in NODE_EXTRA_CA_CERTS',
    { where },
  );
const REVOKED: Words = (where) =>
  stored('the certificate of {where} was revoked; install a new one on that server', { where });
const WEAK: Words = (where) =>
  stored(
    'the certificate or key of {where} is too weak to be accepted; install one with a current key and signature on that server',
    { where },
  );
const BROKEN: Words = (where) =>
  stored('the certificate of {where} is not valid; install a correct one on that server', { where });
const NOT_TLS: Words = (where) =>
  stored('{where} does not use TLS on this port; correct the port, or use an address without TLS', { where });
const NO_COMMON_VERSION: Words = (where) =>
  stored(
    '{where} and this machine have no TLS version or cipher in common; let that server offer TLS 1.2 or 1.3',
    { where },
  );
const CLIENT_CERTIFICATE: Words = (where) =>
  stored(
    '{where} wants a client certificate, which Tocsin does not send; let that server accept connections without one',
    { where },
  );
const NAME_UNKNOWN: Words = (where) =>
  stored('{where} has no certificate for this host name; correct the name, or set one up on that server', {
    where,
  });
const REFUSED: Words = (where) =>
  stored('{where} ended the TLS handshake with an alert; check the log of that server for the reason', {
    where,
  });
const ENDED: Words = (where) =>
  stored('{where} closed the connection during the TLS handshake; check that it speaks TLS on this port', {
    where,
  });
const FAILED: Words = (where) =>
  stored('no TLS connection to {where} could be set up; check the TLS settings of that server', { where });

/** Error codes of Node.js and OpenSSL; the first matching pattern is used. */
const CAUSES: readonly [RegExp, Words][] = [
  [/^CERT_HAS_EXPIRED$|^CRL_HAS_EXPIRED$|CERTIFICATE_EXPIRED$/, DATES],
  [/^CERT_NOT_YET_VALID$|^CRL_NOT_YET_VALID$/, FUTURE],
  [/^DEPTH_ZERO_SELF_SIGNED_CERT$/, SELF_SIGNED],
  [/^SELF_SIGNED_CERT_IN_CHAIN$|^UNABLE_TO_GET_ISSUER_CERT$|^CERT_UNTRUSTED$/, UNKNOWN_AUTHORITY],
  [/^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)$/, INCOMPLETE],
  [/^CERT_REVOKED$|CERTIFICATE_REVOKED$/, REVOKED],
  [/(_KEY|_MD|CA_KEY)_TOO_(SMALL|WEAK)$|^DH_KEY_TOO_SMALL$/, WEAK],
  [
    /^(CERT_SIGNATURE_FAILURE|CERT_CHAIN_TOO_LONG|CERT_REJECTED|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_\w+|UNABLE_TO_DEC\w+)$/,
    BROKEN,
  ],
  [/WRONG_VERSION_NUMBER$|PACKET_LENGTH_TOO_LONG$|HTTP_REQUEST$|RECORD_LAYER_FAILURE$/, NOT_TLS],
  [
    /PROTOCOL_VERSION$|UNSUPPORTED_PROTOCOL$|NO_PROTOCOLS_AVAILABLE$|HANDSHAKE_FAILURE$|NO_SHARED_CIPHER$|LEGACY_RENEGOTIATION_DISABLED$/,
    NO_COMMON_VERSION,
  ],
  [/CERTIFICATE_REQUIRED$/, CLIENT_CERTIFICATE],
  [/UNRECOGNIZED_NAME$/, NAME_UNKNOWN],
  [/^ERR_SSL_\w*ALERT_/, REFUSED],
  [/^(ERR_SSL_|ERR_TLS_|ERR_OSSL_)/, FAILED],
];

/** For drivers whose errors have only a message. */
const IN_WORDS: readonly [RegExp, Words][] = [
  [/wrong version number/i, NOT_TLS],
  [/disconnected before secure TLS connection/i, ENDED],
  [/^The server does not support SSL connections$/, NOT_TLS],
  [/^There was an error establishing an SSL connection$/, FAILED],
  [/\bsslv3 alert handshake failure\b|\bno shared cipher\b/i, NO_COMMON_VERSION],
];

/**
 * Explains why a TLS connection failed and what to do, as a clause without a full stop; null if the error is not about
 * TLS. `where` is the host as the reader knows it.
 */
export function tlsTrouble(error: unknown, where: string): string | null {
  const code = errorCode(error);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH') return wrongName(error, where);
  const known = CAUSES.find(([pattern]) => pattern.test(code));
  if (known) return known[1](where);
  const messages = layersOf(error).flatMap((layer) => textOf(fieldOf(layer, 'message')));
  return IN_WORDS.find(([pattern]) => messages.some((message) => pattern.test(message)))?.[1](where) ?? null;
}

/**
 * Whether the other side closed the connection during the TLS handshake, for example a proxy without a server behind
 * it.
 */
export function isCutOff(error: unknown): boolean {
  return tlsTrouble(error, '') === ENDED('');
}

const MOST_NAMES = 3;

function wrongName(error: unknown, where: string): string {
  const names = layersOf(error).flatMap(namesIn);
  return names.length > 0
    ? stored(
        'the certificate of {where} was issued for {names} and not for that name; use an address that it names, or install a certificate for this one on that server',
        { where, names: shown(names) },
      )
    : stored(
        'the certificate of {where} was not issued for that name; use an address that it names, or install a certificate for this one on that server',
        { where },
      );
}

/** The host names of a certificate, which Node.js formats as `DNS:a.example, IP Address:10.0.0.1`. */
function namesIn(layer: unknown): string[] {
  const names = textOf(fieldOf(fieldOf(layer, 'cert'), 'subjectaltname'));
  return names
    .flatMap((text) => text.split(/,\s*/))
    .flatMap((name) => /^DNS:([\w*.-]+)$/.exec(name)?.[1] ?? []);
}

function textOf(value: unknown): string[] {
  return typeof value === 'string' ? [value] : [];
}

function shown(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  return names.slice(0, MOST_NAMES).join(', ') + more;
}

/** The clause as a sentence. A host name at its beginning is not capitalized. */
export function asSentence(clause: string): string {
  return `${clause.replace(/^[a-z]+ /, (word) => word.charAt(0).toUpperCase() + word.slice(1))}.`;
}
