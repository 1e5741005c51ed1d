import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 250;

/**
 * The text of a search field, which the URL gets a moment after it was typed. `given`: the text of the URL, which may also
 * change otherwise, as when a saved view is opened.
 */
export function useSearchText(given: string, send: (text: string) => void): [string, (text: string) => void] {
  const [typed, setTyped] = useState<string | null>(null);
  const sent = useRef(new Set<string>());
  const sendSoon = useDebouncedCallback((text: string) => {
    sent.current.add(text);
    send(text);
  }, TYPING_MS);
  // The URL is behind what is typed: a text that came from here must not replace letters that were typed after it.
  useEffect(
    () => setTyped((now) => (now !== null && now !== given && sent.current.has(given) ? now : null)),
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
