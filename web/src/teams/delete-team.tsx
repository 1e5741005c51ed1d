import { Button, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { TeamDetail } from '../../../src/people/team-api-contract.ts';
import { teamsApi } from '../../../src/people/team-api-contract.ts';
import { send } from '../api/call.ts';
import { endingOf } from '../api/ending.ts';
import { ConfirmDialog } from '../kit/confirm-dialog.tsx';
import { showFailure, showToast } from '../kit/toast.ts';
import { commas, t } from '../language/t.ts';

/** Deletes a team. While something still belongs to the team, the dialog lists that instead. */
export function DeleteTeam({ detail, close }: { detail: TeamDetail; close: () => void }) {
  const { team, belongings } = detail;
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationKey: endingOf(team.slug),
    mutationFn: () => send(teamsApi.remove, { params: { id: team.id } }),
    onSuccess: async () => {
      showToast(t('The team {name} was deleted.', { name: team.name }));
      await navigate({ to: '/teams' });
      await client.invalidateQueries({ queryKey: ['teams'] });
      void client.invalidateQueries({ queryKey: ['on-call'] });
    },
    onError: showFailure,
  });
  const held = Object.entries(belongings).filter(([, count]) => count > 0);
  if (held.length > 0)
    return (
      <Modal opened onClose={close} title={t('{name} cannot be deleted', { name: team.name })}>
        <div className="stack" style={{ gap: 16 }}>
          <p className="muted">
            {t('It still has {belongings}.', {
              belongings: commas(
                held.map(([what, count]) => countWords(what as keyof typeof belongings, count)),
              ),
            })}{' '}
            {belongings.pages + belongings.moments > 0
              ? t(
                  'Deleting the team would delete its history, which is kept as a record of what happened. To retire the team, delete its schedules, revoke its page sources and webhooks, and remove its members. Nobody can be paged through it then.',
                )
              : t(
                  'Delete its schedules first. A team that ever had page sources or webhooks cannot be deleted, because their history is kept.',
                )}
          </p>
          <div className="row" style={{ justifyContent: 'flex-end' }}>
            <Button variant="default" onClick={close}>
              {t('Close')}
            </Button>
          </div>
        </div>
      </Modal>
    );
  return (
    <ConfirmDialog
      title={t('Delete {name}?', { name: team.name })}
      keep={t('Keep it')}
      go={t('Delete')}
      busy={remove.isPending}
      close={close}
      act={() => remove.mutate()}
    >
      {t(
        'Pages to {team} are refused from then on. Its members stay in the organization. The team cannot be restored.',
        { team: team.slug },
      )}
    </ConfirmDialog>
  );
}

/** `3 schedules`. The service counts to a thousand at most. */
function countWords(what: keyof TeamDetail['belongings'], counted: number): string {
  const count = Math.min(counted, 1_000);
  switch (what) {
    case 'schedules':
      return t('{count, plural, =1 {1 schedule} =1000 {a thousand schedules or more} other {# schedules}}', {
        count,
      });
    case 'webhooks':
      return t('{count, plural, =1 {1 webhook} =1000 {a thousand webhooks or more} other {# webhooks}}', {
        count,
      });
    case 'sources':
      return t(
        '{count, plural, =1 {1 page source} =1000 {a thousand page sources or more} other {# page sources}}',
        { count },
      );
    case 'pages':
      return t('{count, plural, =1 {1 page} =1000 {a thousand pages or more} other {# pages}}', { count });
    default:
      return t('{count, plural, =1 {1 moment} =1000 {a thousand moments or more} other {# moments}}', {
        count,
      });
  }
}
