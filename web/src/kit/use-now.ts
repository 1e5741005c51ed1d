import { useEffect, useState } from 'react';
import { serviceNow } from './clock.ts';

/** The time, again and again; every second where something counts down. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
