import { useQuery } from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  lazyRouteComponent,
  Outlet,
  useRouterState,
} from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { OUTSIDE } from '../../src/http/frame-contract.ts';
import { sessionQuery } from './api/queries.ts';
import { availabilitySearch, teamSearch } from './availability/search.ts';
import { useDatabaseAway } from './away/database-away.ts';
import { composeSearch } from './compose/compose-search.ts';
import { Empty, Failed, Loading } from './kit/states.tsx';
import { t } from './language/t.ts';
import { readMomentSearch } from './moments/search.ts';
import { NowView } from './now/now-view.tsx';
import { pagesSearch } from './pages/pages-search.ts';
import { peopleSearch } from './people/people-search.ts';
import { readReceivedSearch } from './received/search.ts';
import { reportSearch } from './reports/search.ts';
import { scheduleSearch } from './schedules/search.ts';
import { settingsSearch } from './settings/settings-search.ts';
import { Broken } from './shell/broken.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

const routes = [
  createRoute({ getParentRoute: () => root, path: '/', component: NowView }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages',
    validateSearch: pagesSearch,
    component: lazyRouteComponent(() => import('./pages/pages-view.tsx'), 'PagesView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/new',
    validateSearch: composeSearch,
    component: lazyRouteComponent(() => import('./compose/compose-view.tsx'), 'ComposeView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pages/$id',
    component: lazyRouteComponent(() => import('./pages/page-view.tsx'), 'PageView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/moments',
    validateSearch: readMomentSearch,
    component: lazyRouteComponent(() => import('./moments/moments-view.tsx'), 'MomentsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/moments/$id',
    component: lazyRouteComponent(() => import('./moments/moment-view.tsx'), 'MomentView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/notifications',
    validateSearch: readReceivedSearch,
    component: lazyRouteComponent(() => import('./received/received-view.tsx'), 'ReceivedView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/notifications/$id',
    component: lazyRouteComponent(() => import('./received/call-view.tsx'), 'NotificationView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/problems',
    validateSearch: (search): { show?: 'closed' } => (search.show === 'closed' ? { show: 'closed' } : {}),
    component: lazyRouteComponent(() => import('./problems/problems-view.tsx'), 'ProblemsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules',
    component: lazyRouteComponent(() => import('./schedules/schedules-view.tsx'), 'SchedulesView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules/new',
    component: lazyRouteComponent(() => import('./schedules/schedule-form-view.tsx'), 'NewScheduleView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules/$id',
    validateSearch: scheduleSearch,
    component: lazyRouteComponent(() => import('./schedules/schedule-view.tsx'), 'ScheduleView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules/$id/edit',
    component: lazyRouteComponent(() => import('./schedules/schedule-form-view.tsx'), 'EditScheduleView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules/$id/handoff',
    component: lazyRouteComponent(() => import('./handoffs/handoff-view.tsx'), 'HandoffView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/schedules/$id/handoff/$note',
    component: lazyRouteComponent(() => import('./handoffs/handoff-view.tsx'), 'HandoffNoteView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/saved-on-call',
    component: lazyRouteComponent(() => import('./away/saved-view.tsx'), 'SavedView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/availability',
    validateSearch: availabilitySearch,
    component: lazyRouteComponent(() => import('./availability/availability-view.tsx'), 'AvailabilityView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/availability/team',
    validateSearch: teamSearch,
    component: lazyRouteComponent(() => import('./availability/team-view.tsx'), 'TeamAvailabilityView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/availability/upload',
    component: lazyRouteComponent(() => import('./availability/upload-view.tsx'), 'UploadView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/availability/calendars',
    component: lazyRouteComponent(() => import('./availability/calendars-view.tsx'), 'CalendarsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/teams',
    component: lazyRouteComponent(() => import('./teams/teams-view.tsx'), 'TeamsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/teams/$slug',
    validateSearch: (search): { create?: 'source' } =>
      search.create === 'source' ? { create: 'source' } : {},
    component: lazyRouteComponent(() => import('./teams/team-view.tsx'), 'TeamView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/webhooks/$id',
    component: lazyRouteComponent(() => import('./webhooks/webhook-view.tsx'), 'WebhookView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/windows/$id',
    component: lazyRouteComponent(() => import('./windows/window-view.tsx'), 'WindowView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sources/$id',
    component: lazyRouteComponent(() => import('./sources/source-view.tsx'), 'SourceView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/requests',
    component: lazyRouteComponent(() => import('./requests/requests-view.tsx'), 'RequestsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/requests/$id',
    component: lazyRouteComponent(() => import('./requests/request-view.tsx'), 'RequestView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reports',
    validateSearch: reportSearch,
    component: lazyRouteComponent(() => import('./reports/reports-view.tsx'), 'ReportsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pay',
    validateSearch: (search): { tab?: 'rates' | 'people' } =>
      search.tab === 'rates' || search.tab === 'people' ? { tab: search.tab } : {},
    component: lazyRouteComponent(() => import('./pay/pay-view.tsx'), 'PayView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pay/$id',
    component: lazyRouteComponent(() => import('./pay/period-view.tsx'), 'PeriodView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/pay/$id/$person',
    component: lazyRouteComponent(() => import('./pay/statement-view.tsx'), 'StatementView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/settings',
    validateSearch: settingsSearch,
    component: lazyRouteComponent(() => import('./settings/settings-view.tsx'), 'SettingsView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/keys',
    component: lazyRouteComponent(() => import('./keys/keys-view.tsx'), 'KeysView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./people/people-view.tsx'), 'PeopleView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/people/$id',
    component: lazyRouteComponent(() => import('./people/person-view.tsx'), 'PersonView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/inbox',
    component: lazyRouteComponent(() => import('./inbox/inbox-view.tsx'), 'InboxView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/profile',
    component: lazyRouteComponent(() => import('./profile/profile-view.tsx'), 'ProfileView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/first-page',
    component: lazyRouteComponent(() => import('./first-page/first-page-view.tsx'), 'FirstPageView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/set-up',
    component: lazyRouteComponent(() => import('./set-up/set-up-view.tsx'), 'SetUpView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/account',
    component: lazyRouteComponent(() => import('./account/account-view.tsx'), 'AccountView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./sign-in/invitation-view.tsx'), 'InvitationView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/welcome',
    component: lazyRouteComponent(() => import('./sign-in/welcome-view.tsx'), 'WelcomeView'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/new-password',
    component: lazyRouteComponent(() => import('./sign-in/new-password-view.tsx'), 'NewPasswordView'),
  }),
] as const;

const SignInView = lazy(async () => ({ default: (await import('./sign-in/sign-in-view.tsx')).SignInView }));

const SavedInstead = lazy(async () => ({ default: (await import('./away/saved-view.tsx')).SavedInstead }));

const SecondFactorGate = lazy(async () => ({
  default: (await import('./account/second-factor-gate.tsx')).SecondFactorGate,
}));

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultPendingMs: 150,
  // A view that is loaded appears at once.
  defaultPendingMinMs: 0,
  defaultErrorComponent: Broken,
  // What was entered in the view of one thing is not of another one.
  defaultRemountDeps: ({ params }) => params,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Without a session, only the ways to sign in are shown. */
function Root() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const outside = OUTSIDE.includes(path);
  const { data: session, error, refetch } = useQuery({ ...sessionQuery, enabled: !outside });
  const databaseAway = useDatabaseAway();
  if (outside) return <Outlet />;
  if (session?.second_factor_missing)
    return (
      <Suspense>
        <SecondFactorGate />
      </Suspense>
    );
  // Times are formatted while views are drawn, so another zone or clock draws everything again.
  if (session) return <Shell key={`${session.user.time_zone} ${session.user.clock}`} session={session} />;
  if (session === null)
    return (
      <Suspense>
        <SignInView />
      </Suspense>
    );
  if (!session && databaseAway)
    return (
      <Suspense>
        <SavedInstead />
      </Suspense>
    );
  if (error)
    return (
      <div className="view">
        <Failed error={error} again={() => void refetch()} />
      </div>
    );
  return null;
}

function Pending() {
  return (
    <div className="view">
      <Loading rows={4} />
    </div>
  );
}

function NotFound() {
  return (
    <div className="view">
      <h1 className="visually-hidden">{t('Not found')}</h1>
      <Empty
        action={
          <Link className="link" to="/">
            {t('Now')}
          </Link>
        }
      >
        {t('There is no page at this address.')}
      </Empty>
    </div>
  );
}
