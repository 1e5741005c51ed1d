/**
 * Starts the dashboard. The browser first draws the frame that the document holds, because the scripts then keep a phone
 * busy for some tenths of a second. They run in parts, between which it can react; the document names their files, so
 * they are loaded meanwhile.
 */
const DRAWN_WITHIN_MS = 250;

// The other files import one function of this one, so it must not wait for them itself.
void start();

async function start(): Promise<void> {
  await drawn();
  warmDates();
  await pause();
  await import('./react.ts');
  await pause();
  await import('./libraries.ts');
  await pause();
  await import('./main.tsx');
}

/** Waits for the frame, if the document holds one and the window is visible. */
async function drawn(): Promise<void> {
  if (document.hidden || !document.querySelector('[data-frame]')) return;
  const first = new Promise<void>((resolve) => {
    const observer = new PerformanceObserver((seen) => {
      if (seen.getEntriesByName('first-contentful-paint').length > 0) resolve();
    });
    observer.observe({ type: 'paint', buffered: true });
  });
  await Promise.race([first, pause(DRAWN_WITHIN_MS)]);
}

/** The first format of a date takes a phone a tenth of a second, which it has while the libraries are being loaded. */
function warmDates(): void {
  new Intl.DateTimeFormat(navigator.language, { hour: 'numeric' }).resolvedOptions();
}

function pause(ms = 0): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
