import { createFetchText, type FetchText } from '../kit/fetch-text.ts';
import { rememberCertificates } from './certificates.ts';

/** How the work on calls reaches senders that wait for a sign of ours, on the public internet only. */
export function reachSenders(): { fetchText: FetchText; fetchCertificate: FetchText } {
  const fetchText = createFetchText({ deadlineMs: 5_000, mostBytes: 64 * 1_024, allowPrivate: false });
  return { fetchText, fetchCertificate: rememberCertificates(fetchText) };
}
