import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 250;
/** The most texts that can be on their way to the URL: each follows the one before it after a pause in the typing. */
const MOST_SENT = 8;

/** The texts that were sent, latest last. */
export function withSent(sent: readonly string[], text: string): readonly string[] {
  return [...sent.filter((one) => one !== text), text].slice(-MOST_SENT);
}

/**
 * The text of a search field, which the URL gets a moment after it was typed. `given`: the text of the URL, which may also
 * change otherwise, as when a saved view is opened.
 */
export function useSearchText(given: string, send: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  const sent = useRef<readonly string[]>([]);
  const sendSoon = useDebouncedCallback((text: string) => {
    sent.current = withSent(sent.current, text);
    send(text);
  }, TYPING_MS);
  // The URL is behind what is typed: a text that came from here must not replace letters that were typed after it.
  useEffect(
    () => setTyped((now) => (now !== null && now !== given && sent.current.includes(given) ? now : null)),
    [given],
  );
  return [
    typed ?? given,
    (text) => {
      setTyped(text);
      sendSoon(text);
    },
  ];
}
