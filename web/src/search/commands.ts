import { useMantineColorScheme } from '@mantine/core';
import type { SpotlightActionGroupData } from '@mantine/spotlight';
import { useQuery } from '@tanstack/react-query';
import { useMatch, useNavigate } from '@tanstack/react-router';
import type { PageDetail, PageSummary } from '../../../src/pages/api-contract.ts';
import { openPagesQuery, pageQuery, sessionQuery } from '../api/queries.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { t } from '../language/t.ts';
import { pageUrl, timelineJson } from '../pages/timeline-json.ts';
import { timelineMarkdown } from '../pages/timeline-markdown.ts';
import { schedulesQuery } from '../schedules/queries.ts';
import { teamsQuery } from '../teams/queries.ts';

type Actions = SpotlightActionGroupData['actions'];
type Team = { id: string; name: string; slug: string };

/** What a command asks for in a dialog. The finder itself changes nothing: Enter takes what it finds first. */
export type Asked =
  | { what: 'acknowledge' | 'resolve'; pages: readonly PageSummary[] }
  | { what: 'override'; schedule: string }
  | { what: 'window'; team: string }
  | { what: 'drill' }
  | { what: 'silence'; page: PageSummary };

/** Commands on the view that is shown and on everything else. `ask` opens the dialog of one. */
export function useCommands(enabled: boolean, ask: (asked: Asked) => void): Actions {
  const navigate = useNavigate();
  const onPage = useMatch({ from: '/pages/$id', shouldThrow: false })?.params.id ?? '';
  const { data: detail } = useQuery({ ...pageQuery(onPage), enabled: enabled && onPage !== '' });
  return [
    ...(detail && detail.page.id === onPage ? pageCommands(detail, ask) : []),
    ...useOwnPages(ask),
    ...useOverrides(enabled, ask),
    ...useWindows(enabled, ask),
    ...useLook(),
    {
      id: 'drill',
      label: t('Send a drill…'),
      keywords: t('test try page on call'),
      onClick: () => ask({ what: 'drill' }),
    },
    {
      id: 'set up',
      label: t('Set-up: what is left to do'),
      keywords: t('checklist ready'),
      onClick: () => void navigate({ to: '/set-up' }),
    },
    {
      id: 'copy link',
      label: t('Copy the link to this view'),
      keywords: t('share address url'),
      onClick: () => void copy(location.href, t('The link is copied.')),
    },
  ];
}

function pageCommands(detail: PageDetail, ask: (asked: Asked) => void): Actions {
  const { page } = detail;
  const acts = (['acknowledge', 'resolve'] as const).filter(
    (what) => page.may_act && (what === 'resolve' ? page.state !== 'resolved' : page.state === 'notifying'),
  );
  return [
    ...acts.map((what) => ({
      id: `${what} this`,
      label: what === 'acknowledge' ? t('Acknowledge this page…') : t('Resolve this page…'),
      description: page.title,
      onClick: () => ask({ what, pages: [page] }),
    })),
    ...(page.may_silence && page.source
      ? [
          {
            id: 'silence this',
            label: t('Silence what this page is about…'),
            description: page.source.name,
            onClick: () => ask({ what: 'silence', page }),
          },
        ]
      : []),
    {
      id: 'copy markdown',
      label: t('Copy the timeline as Markdown'),
      onClick: () => void copy(timelineMarkdown(detail, pageUrl(page.id)), t('The timeline is copied.')),
    },
    {
      id: 'copy json',
      label: t('Copy the timeline as JSON'),
      onClick: () => void copy(timelineJson(detail, pageUrl(page.id)), t('The timeline is copied.')),
    },
    ...(page.dedup_key === null
      ? []
      : [
          {
            id: 'copy key',
            label: t('Copy the dedup key'),
            onClick: () => void copy(page.dedup_key ?? '', t('The dedup key is copied.')),
          },
        ]),
  ];
}

function useOwnPages(ask: (asked: Asked) => void): Actions {
  const open = useQuery(openPagesQuery).data?.pages ?? [];
  const pages = open.filter(({ state, mine, may_act }) => state === 'notifying' && mine && may_act);
  return [
    {
      id: 'acknowledge mine',
      label: t('Acknowledge all mine…'),
      keywords: t('pages ack'),
      description: t(
        '{count, plural, =0 {No pages wait for you} =1 {1 page waits for you} other {# pages wait for you}}',
        { count: pages.length },
      ),
      onClick: () =>
        pages.length > 0
          ? ask({ what: 'acknowledge', pages })
          : showToast(t('No page waits for your answer.')),
    },
  ];
}

/** Those who may change the schedules of a team may override them. */
function useOverrides(enabled: boolean, ask: (asked: Asked) => void): Actions {
  const data = useQuery({ ...schedulesQuery, enabled }).data;
  const manages = new Set(data?.may_make_for.map(({ id }) => id));
  return (data?.schedules ?? [])
    .filter(({ team }) => manages.has(team.id))
    .map(({ id, name, team }) => ({
      id: `override ${id}`,
      label: t('Override {name}…', { name }),
      keywords: t('put on call'),
      description: t('schedule of {team}', { team: team.name }),
      onClick: () => ask({ what: 'override', schedule: id }),
    }));
}

/** As the service decides: people of a team, admins and owners may keep its sources quiet. */
function useWindows(enabled: boolean, ask: (asked: Asked) => void): Actions {
  const session = useQuery(sessionQuery).data;
  const teams: readonly Team[] = useQuery({ ...teamsQuery, enabled }).data?.teams ?? [];
  const own = new Set(session?.teams.map(({ id }) => id));
  return teams
    .filter(({ id }) => session?.user.role !== 'member' || own.has(id))
    .map(({ id, name, slug }) => ({
      id: `window ${id}`,
      label: t('Silence {name}…', { name }),
      keywords: t('maintenance window silence'),
      description: slug,
      onClick: () => ask({ what: 'window', team: id }),
    }));
}

function useLook(): Actions {
  const { setColorScheme } = useMantineColorScheme();
  const looks = {
    dark: t('Dark mode'),
    light: t('Light mode'),
    auto: t('Light or dark, like the device'),
  } as const;
  return (['dark', 'light', 'auto'] as const).map((look) => ({
    id: `look ${look}`,
    label: looks[look],
    keywords: t('theme colours colors scheme'),
    onClick: () => setColorScheme(look),
  }));
}

async function copy(text: string, said: string): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => showToast(said),
    () => showFailure(new Error(t('The browser does not allow copying. Allow the clipboard for this site.'))),
  );
}
