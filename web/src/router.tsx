import { useQuery } from '@tanstack/react-query';
import { createRootRoute, createRoute, createRouter, Link, lazyRouteComponent } from '@tanstack/react-router';
import { sessionQuery } from './api/queries.ts';
import { Empty, Failed } from './kit/states.tsx';
import { NowView } from './now/now-view.tsx';
import { Shell } from './shell/shell.tsx';
import { SignInHint } from './sign-in/sign-in-hint.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: NowView }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages',
    validateSearch: (search): { show?: 'all' } => (search.show === 'all' ? { show: 'all' } : {}),
    component: lazyRouteComponent(() => import('./pages/pages-view.tsx'), 'PagesView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/$id',
    component: lazyRouteComponent(() => import('./pages/page-view.tsx'), 'PageView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => import('./keys/keys-view.tsx'), 'KeysView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/profile',
    component: lazyRouteComponent(() => import('./profile/profile-view.tsx'), 'ProfileView'),
  }),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Without a session there is nothing to see but how to get one. */
function Root() {
  const { data: session, error, refetch } = useQuery(sessionQuery);
  if (session) return <Shell session={session} />;
  if (session === null) return <SignInHint />;
  if (error)
    return (
      <div className="view">
        <Failed error={error} again={() => void refetch()} />
      </div>
    );
  return null;
}

function NotFound() {
  return (
    <div className="view">
      <Empty
        action={
          <Link className="link" to="/">
            Now
          </Link>
        }
      >
        There is nothing at this address.
      </Empty>
    </div>
  );
}
