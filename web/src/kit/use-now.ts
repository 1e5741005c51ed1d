import { useEffect, useState } from 'react';
import { serviceNow } from './clock.ts';

/** The current time, updated every `everyMs`; use one second for countdowns. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
