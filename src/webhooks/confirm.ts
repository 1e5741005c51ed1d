import type { FetchText } from '../kit/fetch-text.ts';
import { stored } from '../language/contract.ts';
import type { Confirmation } from '../moments/integrations/adapter.ts';
import { isSnsUrl } from '../moments/integrations/sns.ts';
import { checkSignature } from './certificates.ts';

export type Confirmed =
  | { confirmed: true }
  /** `lasting`: another attempt would fail in the same way. */
  | { problem: string; lasting: boolean };

/**
 * Confirms a subscription by fetching its SubscribeURL once. First checks that its URLs belong to Amazon SNS, that its
 * topic is the pinned one of the webhook, if any, and that Amazon signed it.
 */
export async function confirmSubscription(
  confirmation: Confirmation,
  pinnedTopic: string | null,
  { fetchText, fetchCertificate }: { fetchText: FetchText; fetchCertificate: FetchText },
): Promise<Confirmed> {
  const { topic } = confirmation;
  const url = snsUrl(confirmation.url);
  if (!url) return lasting(stored('Its SubscribeURL is not an https address of Amazon SNS.'));
  if (pinnedTopic !== null && pinnedTopic !== topic)
    return lasting(
      stored(
        'It asks to confirm the topic {topic}, but this webhook accepts only {pinnedTopic}; make a webhook for each topic, or remove the topic from the settings.',
        { topic, pinnedTopic },
      ),
    );
  const verdict = await checkSignature(confirmation, fetchCertificate);
  if ('problem' in verdict) return verdict;
  const answer = await fetchText(url);
  if ('error' in answer)
    return passing(stored('The subscription cannot be confirmed: {error}.', { error: answer.error }));
  if (answer.status === 200) return { confirmed: true };
  return passing(
    stored('The subscription cannot be confirmed: {host} answered {status}.', {
      host: url.host,
      status: answer.status,
    }),
  );
}

function snsUrl(text: string): URL | null {
  return isSnsUrl(text) ? URL.parse(text) : null;
}

function lasting(problem: string): Confirmed {
  return { problem, lasting: true };
}

function passing(problem: string): Confirmed {
  return { problem, lasting: false };
}
