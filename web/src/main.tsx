import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import './components.css';
import './tokens.css';
import './look.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { watchKeys } from './alarm/key-guard.ts';
import { watchPresses } from './alarm/press-guard.ts';
import { Refusal } from './api/call.ts';
import { Later } from './kit/later.tsx';
import { t } from './language/t.ts';
import { watchInstallOffer } from './profile/install.ts';
import { registerServiceWorker } from './profile/push.ts';
import { router } from './router.tsx';
import { reloadWhenOutdated } from './shell/reload-when-outdated.ts';
import { cssVariables, isNight, theme } from './theme.ts';

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // The service refuses the same request again, so only failures to reach it are retried.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof Refusal && error.status >= 400 && error.status < 500),
    },
    // Without a network, a change is refused at once, with what to do. It would wait in silence otherwise, and be made later even if the
    // person has canceled it.
    mutations: { networkMode: 'always' },
  },
});

reloadWhenOutdated();
watchKeys();
watchPresses();
watchInstallOffer();
registerServiceWorker((path) => void router.navigate({ href: path }));

// The page that the browser loads is the same in every language.
document.getElementById('over')?.setAttribute('aria-label', t('Open menus and dialogs'));

/** A view that is not loaded by then appears with its frame first. */
const WITH_VIEW_MS = 500;
const app = (
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme={isNight(new Date()) ? 'dark' : 'auto'}
    >
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
        {/* Toasts that come before are shown then. */}
        <Later>
          <Notifications position="bottom-right" limit={3} zIndex={500} />
        </Later>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>
);

// The files of views import this one, so it must not wait for them itself.
void show();

async function show(): Promise<void> {
  // The scripts have just run; the browser can draw and react before the view is made.
  await new Promise((resolve) => setTimeout(resolve));
  await Promise.race([router.load(), new Promise((loaded) => setTimeout(loaded, WITH_VIEW_MS))]);
  // A transition is rendered in short steps, between which a slow phone can react.
  startTransition(() => createRoot(document.getElementById('root') as HTMLElement).render(app));
}
