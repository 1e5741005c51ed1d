import { createFetchText, type FetchText } from '../kit/fetch-text.ts';
import { createRecentMap } from '../kit/recent-map.ts';
import { stored } from '../language/contract.ts';
import type { CertifiedText } from '../moments/integrations/adapter.ts';
import { isCertificateUrl, isSignedBy } from '../moments/integrations/sns.ts';

/** Certificates can be cached for long, because Amazon publishes a new certificate at a new URL. */
const REMEMBERED_MS = 24 * 60 * 60 * 1_000;
/** Failures are cached as well, so that calls do not wait one by one while Amazon is unreachable. */
const TROUBLE_REMEMBERED_MS = 5_000;
/** Limits the memory, because callers choose the URLs. */
const MOST = 100;

/** Fetches certificates and caches each for a day; `elapsedMs` is a monotonic clock of this process. */
export function rememberCertificates(
  fetchText: FetchText,
  elapsedMs: () => number = () => performance.now(),
): FetchText {
  const known = createRecentMap<string, { answer: ReturnType<FetchText>; until: number }>(MOST);
  return (url) => {
    const entry = known.get(url.href);
    if (entry && entry.until > elapsedMs()) return entry.answer;
    const answer = fetchText(url);
    const fetched = { answer, until: elapsedMs() + REMEMBERED_MS };
    known.set(url.href, fetched);
    return answer.then((got) => {
      if (!('status' in got) || got.status !== 200) fetched.until = elapsedMs() + TROUBLE_REMEMBERED_MS;
      return got;
    });
  };
}

export type Verdict =
  | { signed: true }
  /** `lasting`: another attempt would fail in the same way. */
  | { problem: string; lasting: boolean };

/** Whether Amazon signed the text. The certificate is fetched only from hosts of Amazon SNS. */
export async function checkSignature(text: CertifiedText, fetchCertificate: FetchText): Promise<Verdict> {
  const url = isCertificateUrl(text.certificateUrl) ? URL.parse(text.certificateUrl) : null;
  if (!url)
    return {
      problem: stored('Its SigningCertURL is not an https address of a certificate of Amazon SNS.'),
      lasting: true,
    };
  const certificate = await fetchCertificate(url);
  if ('error' in certificate) return missing(certificate.error, false);
  const { status } = certificate;
  // These statuses are permanent: a certificate that is missing now will not appear later.
  if (status !== 200) return missing(`${url.host} answered ${status}`, [400, 403, 404, 410].includes(status));
  if (isSignedBy(text, certificate.text)) return { signed: true };
  return { problem: stored("It does not carry Amazon's signature."), lasting: true };
}

function missing(why: string, lasting: boolean): Verdict {
  return { problem: stored("Amazon's certificate cannot be fetched: {why}.", { why }), lasting };
}

/** Fetches subscription URLs and certificates, from the public internet only. */
export function reachSenders(): { fetchText: FetchText; fetchCertificate: FetchText } {
  const fetchText = createFetchText({ deadlineMs: 5_000, mostBytes: 64 * 1_024, allowPrivate: false });
  return { fetchText, fetchCertificate: rememberCertificates(fetchText) };
}
