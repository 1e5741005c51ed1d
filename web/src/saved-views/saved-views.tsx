import { Button, Menu } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type List, type SavedView, viewsApi } from '../../../src/views/api-contract.ts';
import { send } from '../api/call.ts';
import { sessionQuery } from '../api/queries.ts';
import { showFailure, showToast } from '../kit/toast.ts';
import { showUndo } from '../kit/undo.tsx';
import { byName, t } from '../language/t.ts';
import { savedViewsQuery } from './queries.ts';
import { ViewDialog } from './view-dialog.tsx';

/** The menu of views that teams saved for a list: opens them, and saves what is filtered now. */
export function SavedViews({ list }: { list: List }) {
  const query = useLocation({ select: ({ searchStr }) => searchStr.replace(/^\?/, '') });
  const navigate = useNavigate();
  const session = useQuery(sessionQuery).data;
  const views = useQuery(savedViewsQuery(list)).data?.views ?? [];
  const [lastId, setLast] = useState<string | null>(null);
  const [dialog, setDialog] = useState<'save' | 'rename' | null>(null);
  const { replace, remove } = useViewActs();
  const shown = views.find((view) => view.query === query);
  const current = shown ?? views.find(({ id }) => id === lastId);
  const mayChange = current?.may_change === true;
  const maySave = session != null && (session.user.role !== 'member' || session.teams.length > 0);
  const teams = [...Map.groupBy(views, ({ team }) => team.id).values()].toSorted(ownFirst);
  if (views.length === 0 && (query === '' || !maySave)) return null;
  return (
    <>
      <Menu position="bottom-start" width={280}>
        <Menu.Target>
          <Button variant="default" style={{ maxWidth: '100%' }}>
            {shown ? shown.name : t('Saved views')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {teams.map((ofTeam) => (
            <div key={ofTeam[0]?.team.id}>
              <Menu.Label>{ofTeam[0]?.team.name}</Menu.Label>
              {ofTeam.map((view) => (
                <Menu.Item
                  key={view.id}
                  aria-current={view === shown ? 'true' : undefined}
                  leftSection={<span aria-hidden="true">{view === shown ? '✓' : ' '}</span>}
                  onClick={() => {
                    setLast(view.id);
                    void navigate({ href: `/${list}${view.query === '' ? '' : `?${view.query}`}` });
                  }}
                >
                  <span style={{ overflowWrap: 'anywhere' }}>{view.name}</span>
                </Menu.Item>
              ))}
            </div>
          ))}
          {maySave && query !== '' && !shown && (
            <>
              {views.length > 0 && <Menu.Divider />}
              {current && mayChange && (
                <Menu.Item onClick={() => replace.mutate({ view: current, query })}>
                  {t('Save these filters in “{name}”', { name: current.name })}
                </Menu.Item>
              )}
              <Menu.Item onClick={() => setDialog('save')}>{t('Save these filters as a view …')}</Menu.Item>
            </>
          )}
          {shown && mayChange && (
            <>
              <Menu.Divider />
              <Menu.Item onClick={() => setDialog('rename')}>
                {t('Rename “{name}” …', { name: shown.name })}
              </Menu.Item>
              <Menu.Item onClick={() => remove.mutate(shown)}>
                {t('Delete “{name}”', { name: shown.name })}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {dialog && (
        <ViewDialog
          {...{ list, query }}
          view={dialog === 'rename' ? (shown ?? null) : null}
          done={({ id }) => setLast(id)}
          close={() => setDialog(null)}
        />
      )}
    </>
  );
}

function ownFirst([a]: readonly SavedView[], [b]: readonly SavedView[]): number {
  if (!a || !b || a.own_team !== b.own_team) return a?.own_team ? -1 : 1;
  return byName(a.team.name, b.team.name);
}

function useViewActs() {
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['saved-views'] });
  const replace = useMutation({
    mutationFn: ({ view, query }: { view: SavedView; query: string }) =>
      send(viewsApi.change, { params: { id: view.id }, body: { query } }),
    onSuccess: async (saved, { view }) => {
      showUndo(t('“{name}” now has these filters.', { name: saved.name }), async () => {
        await send(viewsApi.change, { params: { id: view.id }, body: { query: view.query } });
        await refresh();
      });
      await refresh();
    },
    onError: showFailure,
  });
  const remove = useMutation({
    mutationFn: ({ id }: SavedView) => send(viewsApi.remove, { params: { id } }),
    onSuccess: async ({ team, list, name, query }) => {
      showUndo(t('“{name}” is deleted.', { name }), async () => {
        await send(viewsApi.save, { body: { team: team.id, list, name, query } });
        await refresh();
        showToast(t('“{name}” is saved again.', { name }));
      });
      await refresh();
    },
    onError: showFailure,
  });
  return { replace, remove };
}
